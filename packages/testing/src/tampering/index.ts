/** Every lie there is, category by category. */

import { ARTIFACT_LIES } from './artifacts.ts';
import type { Lie } from './hostile-mode.ts';
import { OUTCOME_LIES } from './outcome.ts';
import { PREPARE_ANSWER_LIES } from './prepare-answer.ts';
import { PREPARE_MESSAGE_LIES } from './prepare-message.ts';
import { PREPARE_REQUEST_LIES } from './prepare-request.ts';
import { READS_LIES } from './reads.ts';
import { SIGN_IN_LIES } from './sign-in.ts';
import { TRANSPORT_LIES } from './transport.ts';

/** The lies in the order of a call's life. */
export const LIES: readonly Lie[] = [
  ...SIGN_IN_LIES,
  ...READS_LIES,
  ...ARTIFACT_LIES,
  ...PREPARE_REQUEST_LIES,
  ...PREPARE_MESSAGE_LIES,
  ...PREPARE_ANSWER_LIES,
  ...OUTCOME_LIES,
  ...TRANSPORT_LIES,
];
