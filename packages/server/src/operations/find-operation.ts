import { idField } from '@service/contract';
import type { Address } from '@solana/kit';
import * as z from 'zod/mini';
import type { OperationRow } from '../database/schema.ts';
import { ServiceFault } from '../http/failures/fault.ts';
import type { Service } from '../service.ts';

/** Returns the wallet's own operation. @throws ServiceFault NOT_FOUND, also for another wallet's operation */
export async function findOperation(
  { db }: Service,
  { id, wallet }: { id: string; wallet: Address },
): Promise<OperationRow> {
  const query = db.selectFrom('operation').selectAll().where('id', '=', id).where('wallet', '=', wallet);
  // A path can contain bytes that the database rejects as text.
  const row = z.safeParse(idField, id).success ? await query.executeTakeFirst() : undefined;
  if (!row) throw new ServiceFault('NOT_FOUND', 'The wallet has no such operation. Check the id.');
  return row;
}
