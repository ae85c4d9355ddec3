/** The event of a place that another wallet took. A place is never closed. */
import { placeTakenEvent } from '@service/contract';
import * as z from 'zod/mini';
import { decodeRow } from '../chain-index/find.ts';
import type { IndexedAccountTable } from '../database/schema.ts';
import type { StepFacts } from './step.ts';
import type { NewEvent } from './write.ts';

/** Returns the event of a place that has another wallet than before, or none. A new place has none: its operation has. */
export function placeEvents(
  { program }: Pick<StepFacts, 'program'>,
  before: IndexedAccountTable,
  after: IndexedAccountTable | undefined,
): NewEvent[] {
  if (after?.kind !== 'place') return [];
  const decode = (row: IndexedAccountTable) => decodeRow({ settings: { program } }, 'place', row);
  const { address, data } = decode(after);
  const { wallet: replaced } = decode(before).data;
  const { wallet, rule, since } = data;
  if (wallet === replaced) return [];
  return [
    {
      wallet,
      type: 'place.taken',
      cause: `place.taken:${address}:${since}`,
      data: JSON.stringify(z.encode(placeTakenEvent.shape.data, { address, rule, replaced, since })),
    },
  ];
}
