import { idField } from '@service/contract';
import type { Address } from '@solana/kit';
import * as z from 'zod/mini';
import type { OperationRow } from '../database/schema.ts';
import { ServiceFault } from '../http/failures/fault.ts';
import type { Service } from '../service.ts';

/** Returns the wallet's own operation. @throws ServiceFault NOT_FOUND, also for another wallet's operation */
export async function findOperation(
  service: Service,
  { id, wallet }: { id: string; wallet: Address },
): Promise<OperationRow> {
  const row = await findRow(service, id, wallet);
  if (!row) throw new ServiceFault('NOT_FOUND', 'The wallet has no such operation. Check the id.');
  return row;
}

async function findRow({ db }: Service, id: string, wallet: Address): Promise<OperationRow | undefined> {
  // A path can contain bytes that the database rejects as text.
  if (!z.safeParse(idField, id).success) return undefined;
  return db
    .selectFrom('operation')
    .selectAll()
    .where('id', '=', id)
    .where('wallet', '=', wallet)
    .executeTakeFirst();
}
