/** Modes of the outcome of signed bytes. */
import { refusal } from '../edits/responses.ts';
import { failedOnChain, finalized, tellStory } from '../edits/story.ts';
import type { HostileMode } from '../hostile-mode.ts';

const OUTCOME = { category: 'outcome', call: 'createRuleSet' } as const;

export const OUTCOME_MODES: readonly HostileMode[] = [
  {
    ...OUTCOME,
    id: 'outcome-finalized-and-kept-back',
    description: 'The service withholds the signed bytes and calls the operation final.',
    page: 'Do not show success. Say that the outcome is unknown, and keep the operation to ask again.',
    code: 'OUTCOME_UNKNOWN',
    start: () => tellStory('withholds', { operation: finalized() }),
  },
  {
    ...OUTCOME,
    id: 'outcome-expired-and-broadcast',
    description: 'The service rejects the submission as expired, but broadcasts it.',
    page: 'Do not offer to repeat it, which could pay twice. Wait for the outcome.',
    code: 'OUTCOME_UNKNOWN',
    context: { answer: 'DRAFT_EXPIRED' },
    start: () => tellStory('broadcasts', { submit: () => refusal('DRAFT_EXPIRED', 409) }),
  },
  {
    ...OUTCOME,
    id: 'outcome-failed-called-final',
    description: 'The operation failed on chain, but the service calls it final.',
    page: 'Show that it failed, with the reason of the chain.',
    code: 'OPERATION_FAILED',
    context: { reason: 'ON_CHAIN_ERROR' },
    start: () => tellStory('broadcasts', { operation: finalized() }),
  },
  {
    ...OUTCOME,
    id: 'outcome-called-failed',
    description: 'The service calls the operation failed until it is final on chain.',
    page: 'Show no failure. The call waits, and resolves with what the chain has.',
    code: null,
    start: () =>
      tellStory('broadcasts', {
        operation: (submitted, real) => (real.state === 'FINALIZED' ? real : failedOnChain(submitted)),
      }),
  },
];
