/**
 * Every way in which a service tampers that is played: the published modes, and all that the kinds of edit make.
 *
 * To add one, add a row to a table of this folder. If it leads to something new that a page must show, add it to
 * `packages/testing/src/tampering/modes` instead, and run `npm run generate`. If it needs a preparation, add that to
 * `support/play-mode.ts`.
 */
import { HOSTILE_MODES } from '@service/testing';
import { ACTIONS_SWEEP } from './actions.ts';
import { ARTIFACTS_SWEEP } from './artifacts.ts';
import { DRAFTS_SWEEP } from './drafts.ts';
import { OUTCOMES_SWEEP } from './outcomes.ts';
import { READS_SWEEP } from './reads.ts';
import type { SweepMode } from './row.ts';
import { SIGN_IN_SWEEP } from './sign-in.ts';
import { TRANSACTIONS_SWEEP } from './transactions.ts';
import { TRANSPORT_SWEEP } from './transport.ts';

const GENERATED: readonly SweepMode[] = [
  ...SIGN_IN_SWEEP,
  ...READS_SWEEP,
  ...ARTIFACTS_SWEEP,
  ...ACTIONS_SWEEP,
  ...TRANSACTIONS_SWEEP,
  ...DRAFTS_SWEEP,
  ...OUTCOMES_SWEEP,
  ...TRANSPORT_SWEEP,
];

const PUBLISHED = new Set(HOSTILE_MODES.map(({ id }) => id));

/** The whole sweep. Some kinds of edit make published modes too. */
export const SWEEP: readonly SweepMode[] = [
  ...HOSTILE_MODES,
  ...GENERATED.filter(({ id }) => !PUBLISHED.has(id)),
];

/** Returns the mode with this id. */
export function modeOf(id: string): SweepMode {
  const mode = SWEEP.find((each) => each.id === id);
  if (!mode) throw new Error(`The sweep has no mode ${id}.`);
  return mode;
}
