import type { Address } from '@solana/kit';
import { ServiceFault } from '../http/fault.ts';
import type { Service } from '../service.ts';
import type { OperationRow } from './tables.ts';

/** The wallet's own operation. @throws ServiceFault NOT_FOUND, for another wallet's operation too */
export async function findOperation(
  service: Service,
  { id, wallet }: { id: string; wallet: Address },
): Promise<OperationRow> {
  const row = await service.db
    .selectFrom('operation')
    .selectAll()
    .where('id', '=', id)
    .where('wallet', '=', wallet)
    .executeTakeFirst();
  if (!row) throw new ServiceFault('NOT_FOUND', 'The wallet has no such operation.');
  return row;
}
