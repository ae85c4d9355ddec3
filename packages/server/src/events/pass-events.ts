/** The events of passes: expiring, closed, suspended and granted. */
import { passClosedEvent, passExpiringEvent, passGrantedEvent, passSuspendedEvent } from '@service/contract';
import { isProved, PASS_OFFSETS, passRecordOf } from '@service/protocol';
import type { Address } from '@solana/kit';
import { decodeRow } from '../chain-index/find.ts';
import type { IndexedAccountTable } from '../database/schema.ts';
import type { StepFacts } from './step.ts';
import { type NewEvent, newEvent } from './write.ts';

type Row = IndexedAccountTable;

/**
 * Returns whether a pass ended before its expiry: the program emptied its commitment, or governance ended all passes that
 * were issued before `validFrom`. A pass that was only opened to suspend its wallet never began.
 */
export function hasEnded(row: Row, validFrom: bigint): boolean {
  const { circuit, commitment, expires_at } = row;
  const isEmptied = commitment?.every((byte) => byte === 0) && circuit !== null && isProved({ circuit });
  return isEmptied || expires_at === 0n || wasEndedByGovernance(row, validFrom);
}

/** Returns whether governance ended a pass with all that were issued before `validFrom`. */
export function wasEndedByGovernance({ issued_at, expires_at }: Row, validFrom: bigint): boolean {
  return issued_at !== null && expires_at !== null && issued_at < validFrom && expires_at > validFrom;
}

/** Returns whether a pass that was indexed before a step is over, and no event has said so. */
function isNewlyOver(
  { validFrom }: Pick<StepFacts, 'validFrom'>,
  before: Row,
  after: Row | undefined,
): boolean {
  const wasReported = hasEnded(before, validFrom.reported);
  const hadEnded = hasEnded(before, validFrom.before);
  const isClosed = after?.kind !== 'pass';
  const isRenewed = !isClosed && after.issued_at !== before.issued_at;
  const endsNow = !isClosed && !isRenewed && hasEnded(after, validFrom.after);
  return !wasReported && (hadEnded || isClosed || endsNow);
}

/** Returns the events of a pass in a step. */
export function passEvents(facts: StepFacts, before: Row | undefined, after: Row | undefined): NewEvent[] {
  const isFound = after?.kind === 'pass' && after.issued_at !== before?.issued_at;
  return [
    ...(before && isNewlyOver(facts, before, after) ? [closedPass(facts, before, after)] : []),
    // The index found it after governance had ended it. Its batch may be over.
    ...(isFound && wasEndedByGovernance(after, facts.validFrom.after)
      ? [closedPass(facts, after, after)]
      : []),
    ...eventsOfCreator(facts, before, after),
  ];
}

/** Returns the event of a pass that is over. It has the pass as it was. */
export function closedPass(
  { program, now }: Pick<StepFacts, 'program' | 'now'>,
  before: Row,
  after: Row | undefined,
): NewEvent {
  const pass = recordOf(program, before);
  const isEarlier = after?.kind === 'pass' && (after.expires_at ?? 0n) < pass.expiresAt;
  const reason = isEarlier || pass.expiresAt > now ? 'ENDED' : 'EXPIRED';
  const { wallet, address, issuedAt } = pass;
  return newEvent(passClosedEvent, {
    wallet,
    cause: [address, issuedAt],
    data: { ...pass, reason, closedAt: now },
  });
}

/** Returns the event of a pass that expires soon. */
export function expiringPass(program: Address, row: Row): NewEvent {
  const data = recordOf(program, row);
  return newEvent(passExpiringEvent, { wallet: data.wallet, cause: [data.address, data.expiresAt], data });
}

/** Returns the events of what the creator of the rule set did with a pass. */
function eventsOfCreator(
  { program, now }: StepFacts,
  before: Row | undefined,
  after: Row | undefined,
): NewEvent[] {
  // Decoding takes long, and most passes are neither suspended nor granted.
  if (![before, after].some((row) => row?.kind === 'pass' && isTouchedByCreator(row))) return [];
  if (before && after && Buffer.compare(before.data, after.data) === 0) return [];
  const [was, is] = [before, after].map((row) => (row?.kind === 'pass' ? recordOf(program, row) : undefined));
  return [...suspendedPass(now, was, is), ...grantedPass(was, is)];
}

/** Returns whether a pass is or was suspended, or is granted. */
function isTouchedByCreator({ data }: Row): boolean {
  return data.subarray(PASS_OFFSETS.suspendedUntil, PASS_OFFSETS.paidAt).some((byte) => byte !== 0);
}

type PassRecord = ReturnType<typeof recordOf>;

/** Returns the event of a suspension that began, changed or was lifted. One that lapsed has none. */
function suspendedPass(now: bigint, was: PassRecord | undefined, is: PassRecord | undefined): NewEvent[] {
  const known = is ?? was;
  const [earlier, suspendedUntil] = [was?.suspendedUntil ?? 0n, is?.suspendedUntil ?? 0n];
  if (!known || earlier === suspendedUntil || (suspendedUntil === 0n && earlier <= now)) return [];
  const { wallet, address } = known;
  // The same suspension can begin again after it was lifted.
  const cause = [address, suspendedUntil, now];
  return [newEvent(passSuspendedEvent, { wallet, cause, data: { ...known, suspendedUntil } })];
}

/** Returns the event of a pass that was granted, or granted again. */
function grantedPass(was: PassRecord | undefined, is: PassRecord | undefined): NewEvent[] {
  if (!is?.granted) return [];
  if (was?.granted && was.issuedAt === is.issuedAt && was.expiresAt === is.expiresAt) return [];
  const { wallet, address, issuedAt, expiresAt } = is;
  return [newEvent(passGrantedEvent, { wallet, cause: [address, issuedAt, expiresAt], data: is })];
}

function recordOf(program: Address, row: Row) {
  const { ended: _, ...record } = passRecordOf(decodeRow(program, 'pass', row), null);
  return record;
}
