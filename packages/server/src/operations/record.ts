/** The operations of wallets, and their records in the API (SPEC.md section 3). */
import { idField, type Operation } from '@service/contract';
import { wireTransaction } from '@service/protocol';
import type { Address } from '@solana/kit';
import * as z from 'zod/mini';
import { isIndexed } from '../chain-index/freshness.ts';
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

/** Returns the message that submitted bytes must equal (SPEC.md section 4, prepare rule 4). */
export function messageToSign(row: Pick<OperationRow, 'message' | 'adopted_message'>): Uint8Array {
  return row.adopted_message ?? row.message;
}

/** Returns the record of a row. Each state has only its own fields. */
export async function operationRecordOf(service: Service, row: OperationRow): Promise<Operation> {
  const common = {
    operationId: row.id,
    kind: row.kind,
    wallet: row.wallet,
    createdAt: row.created_at / 1_000n,
    expiresAt: row.expires_at / 1_000n,
    ...(row.rule ? { rule: row.rule } : {}),
  };
  if (row.state === 'EXPIRED') return { ...common, state: row.state };
  if (row.state === 'DRAFT') {
    const transaction = Buffer.from(wireTransaction(messageToSign(row))).toString('base64');
    return { ...common, state: row.state, transaction };
  }
  // Constraints of the table keep the fields of a state from being null.
  const signed = { ...common, signature: row.signature! };
  switch (row.state) {
    case 'FINALIZED': {
      const slot = row.slot!;
      const indexed = await isIndexed(service, { slot, signature: signed.signature });
      return { ...signed, state: row.state, slot, indexed };
    }
    case 'FAILED': {
      const slot = row.slot === null ? {} : { slot: row.slot };
      return { ...signed, state: row.state, ...slot, failure: row.failure! };
    }
    default:
      return { ...signed, state: row.state };
  }
}
