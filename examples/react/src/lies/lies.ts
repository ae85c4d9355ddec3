import { HOSTILE_MODES, type HostileMode } from '@service/testing';

/** A lie that the page offers. Each one is a mode of `@service/testing`, which has more. */
export interface Lie {
  readonly mode: HostileMode;
  /** What is wrong, in few words. */
  readonly name: string;
  /** What the person does to meet the lie. */
  readonly action: string;
  /** Where that is. */
  readonly path: string;
}

const OFFERED: readonly (readonly [id: string, name: string, action: string, path: string])[] = [
  ['prepare-other-amount', 'Another amount', 'Transfer tokens at the holder page', '/holder#tokens'],
  ['prepare-other-rule', 'Another rule set', 'Bind a token, or prove a rule set', '/issuer#bind'],
  ['sign-in-other-cluster', 'Another cluster', 'Sign out in the wallet menu, then sign in again', '/holder'],
  [
    'outcome-finalized-and-kept-back',
    'Another outcome',
    'Create a rule set, or transfer tokens, and wait',
    '/issuer#new-rule-set',
  ],
];

export const LIES: readonly Lie[] = OFFERED.map(([id, name, action, path]) => {
  const mode = HOSTILE_MODES.find((each) => each.id === id);
  if (!mode) throw new Error(`@service/testing has no hostile mode ${id}.`);
  return { mode, name, action, path };
});
