/** The operation record of the API. Each state has only its own fields (SPEC.md section 3). */
import type { Operation } from '@service/contract';
import { wireTransaction } from '@service/protocol';
import { isIndexed } from '../chain-index/freshness.ts';
import type { OperationRow } from '../database/schema.ts';
import type { Service } from '../service.ts';
import { messageToSign } from './message-to-sign.ts';

/** Returns the record of a row. */
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
