/** The events of mint bindings: what an issuer announced, and what changed. A binding is never closed. */
import { ruleAnnouncedEvent } from '@service/contract';
import { type AccountOf, bindingRecordOf, SYSTEM_PROGRAM } from '@service/protocol';
import * as z from 'zod/mini';
import { decodeRow } from '../chain-index/find.ts';
import type { IndexedAccountTable } from '../database/schema.ts';
import type { StepFacts } from './step.ts';
import type { NewEvent } from './write.ts';

type Binding = AccountOf<'mintBinding'>;

/** Returns the events of a binding that changed. A new one has none: its operation has. */
export function bindingEvents(
  { program, now }: Pick<StepFacts, 'program' | 'now'>,
  before: IndexedAccountTable | undefined,
  after: IndexedAccountTable | undefined,
): NewEvent[] {
  if (before?.kind !== 'mintBinding' || after?.kind !== 'mintBinding') return [];
  if (Buffer.compare(before.data, after.data) === 0) return [];
  const decode = (row: IndexedAccountTable) => decodeRow({ settings: { program } }, 'mintBinding', row);
  const found = decode(after);
  const { data } = found;
  return typesOf(decode(before).data, data).map((type) => ({
    wallet: data.issuer,
    type,
    // The same change can be made again after it was undone.
    cause: `${type}:${found.address}:${now}`,
    // The data of all these events has one schema.
    data: JSON.stringify(z.encode(ruleAnnouncedEvent.shape.data, bindingRecordOf(found))),
  }));
}

function typesOf(was: Binding, is: Binding) {
  const isOther = (field: keyof Binding) => was[field] !== is[field];
  const [isApplied, isAccepted] = [isOther('rule'), isOther('issuer')];
  const isAnnounced = isOther('nextRule') || isOther('nextRuleFrom');
  return [
    ...(isApplied ? (['rule.changed'] as const) : []),
    // Applying an announcement removes it, and accepting a nomination too.
    ...(isAnnounced && !(isApplied && is.nextRule === SYSTEM_PROGRAM) ? (['rule.announced'] as const) : []),
    ...(isAccepted ? (['issuer.changed'] as const) : []),
    ...(isOther('nominee') && !(isAccepted && is.nominee === SYSTEM_PROGRAM)
      ? (['issuer.nominated'] as const)
      : []),
  ];
}
