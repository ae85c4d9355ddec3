/** The events of credentials: issued and revoked. A credential is never closed. */
import { credentialRecord } from '@service/contract';
import { CREDENTIAL_OFFSETS, credentialRecordOf } from '@service/protocol';
import * as z from 'zod/mini';
import { decodeRow } from '../chain-index/find.ts';
import type { IndexedAccountTable } from '../database/schema.ts';
import type { StepFacts } from './step.ts';
import type { NewEvent } from './write.ts';

/** Returns the event of a credential whose record changed, or none. */
export function credentialEvents(
  { program }: Pick<StepFacts, 'program'>,
  before: IndexedAccountTable | undefined,
  after: IndexedAccountTable | undefined,
): NewEvent[] {
  if (after?.kind !== 'credential' || (before && Buffer.compare(recordIn(before), recordIn(after)) === 0))
    return [];
  // A later revocation of what is revoked already changes only the time.
  if (after.is_void && before?.is_void) return [];
  const record = credentialRecordOf(decodeRow({ settings: { program } }, 'credential', after));
  const type = record.revoked ? 'credential.revoked' : 'credential.issued';
  const { address, wallet, issuedAt, expiresAt, commitment } = record;
  return [
    {
      wallet,
      type,
      cause: `${type}:${address}:${issuedAt}:${expiresAt}:${commitment}`,
      data: JSON.stringify(z.encode(credentialRecord, record)),
    },
  ];
}

/** The bytes of the record: without the version, and without the times of other verifiers, which a revocation by one changes. */
function recordIn({ data }: Pick<IndexedAccountTable, 'data'>): Uint8Array {
  return data.subarray(CREDENTIAL_OFFSETS.wallet, CREDENTIAL_OFFSETS.voidUntil);
}
