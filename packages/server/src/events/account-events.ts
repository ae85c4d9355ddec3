/** The events of credentials, mint bindings and places. These accounts are never closed. */
import {
  credentialIssuedEvent,
  credentialRevokedEvent,
  issuerChangedEvent,
  issuerNominatedEvent,
  placeTakenEvent,
  ruleAnnouncedEvent,
  ruleChangedEvent,
} from '@service/contract';
import {
  type AccountOf,
  bindingRecordOf,
  CREDENTIAL_OFFSETS,
  credentialRecordOf,
  SYSTEM_PROGRAM,
} from '@service/protocol';
import { decodeRow } from '../chain-index/find.ts';
import type { IndexedAccountTable } from '../database/schema.ts';
import type { StepFacts } from './step.ts';
import { type NewEvent, newEvent } from './write.ts';

type Row = IndexedAccountTable;
type Binding = AccountOf<'mintBinding'>;

/** Returns the event of a credential that was issued or revoked, or none. */
export function credentialEvents(
  { program }: Pick<StepFacts, 'program'>,
  before: Row | undefined,
  after: Row | undefined,
): NewEvent[] {
  if (after?.kind !== 'credential') return [];
  if (before && Buffer.compare(recordIn(before), recordIn(after)) === 0) return [];
  // A later revocation of what is revoked already changes only the time.
  if (after.is_void && before?.is_void) return [];
  const data = credentialRecordOf(decodeRow(program, 'credential', after));
  const { address, wallet, issuedAt, expiresAt, commitment } = data;
  const schema = data.revoked ? credentialRevokedEvent : credentialIssuedEvent;
  return [newEvent(schema, { wallet, cause: [address, issuedAt, expiresAt, commitment], data })];
}

/** The bytes of the record: without the version, and without the times of other verifiers, which a revocation by one changes. */
function recordIn({ data }: Row): Uint8Array {
  return data.subarray(CREDENTIAL_OFFSETS.wallet, CREDENTIAL_OFFSETS.voidUntil);
}

/** Returns the events of a binding: what its issuer announced, and what changed. A new one has none: its operation has. */
export function bindingEvents(
  { program, now }: Pick<StepFacts, 'program' | 'now'>,
  before: Row,
  after: Row | undefined,
): NewEvent[] {
  if (after?.kind !== 'mintBinding' || Buffer.compare(before.data, after.data) === 0) return [];
  const [was, is] = [decodeRow(program, 'mintBinding', before), decodeRow(program, 'mintBinding', after)];
  // The same change can be made again after it was undone.
  const event = { wallet: is.data.issuer, cause: [is.address, now], data: bindingRecordOf(is) };
  return bindingChanges(was.data, is.data).map((schema) => newEvent(schema, event));
}

function bindingChanges(was: Binding, is: Binding) {
  const isOther = (field: keyof Binding) => was[field] !== is[field];
  const [isApplied, isAccepted] = [isOther('rule'), isOther('issuer')];
  const isAnnounced = isOther('nextRule') || isOther('nextRuleFrom');
  return [
    ...(isApplied ? [ruleChangedEvent] : []),
    // Applying an announcement removes it, and accepting a nomination too.
    ...(isAnnounced && !(isApplied && is.nextRule === SYSTEM_PROGRAM) ? [ruleAnnouncedEvent] : []),
    ...(isAccepted ? [issuerChangedEvent] : []),
    ...(isOther('nominee') && !(isAccepted && is.nominee === SYSTEM_PROGRAM) ? [issuerNominatedEvent] : []),
  ];
}

/** Returns the event of a place that another wallet took, or none. A new place has none: its operation has. */
export function placeEvents(
  { program }: Pick<StepFacts, 'program'>,
  before: Row,
  after: Row | undefined,
): NewEvent[] {
  if (after?.kind !== 'place') return [];
  const { wallet: replaced } = decodeRow(program, 'place', before).data;
  const { address, data } = decodeRow(program, 'place', after);
  const { wallet, rule, since } = data;
  if (wallet === replaced) return [];
  const event = { wallet, cause: [address, since], data: { address, rule, replaced, since } };
  return [newEvent(placeTakenEvent, event)];
}
