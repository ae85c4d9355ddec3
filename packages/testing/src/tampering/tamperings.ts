/** All tamperings, in the order of a call's life. */
import { ARTIFACT_TAMPERINGS } from './artifacts.ts';
import type { HostileMode, Tampering } from './hostile-mode.ts';
import { OUTCOME_TAMPERINGS } from './outcome.ts';
import { PREPARE_ANSWER_TAMPERINGS } from './prepare-answer.ts';
import { PREPARE_MESSAGE_TAMPERINGS } from './prepare-message.ts';
import { PREPARE_REQUEST_TAMPERINGS } from './prepare-request.ts';
import { READS_TAMPERINGS } from './reads.ts';
import { SIGN_IN_TAMPERINGS } from './sign-in.ts';
import { TRANSPORT_TAMPERINGS } from './transport.ts';

/** All tamperings. */
export const TAMPERINGS: readonly Tampering[] = [
  ...SIGN_IN_TAMPERINGS,
  ...READS_TAMPERINGS,
  ...ARTIFACT_TAMPERINGS,
  ...PREPARE_REQUEST_TAMPERINGS,
  ...PREPARE_MESSAGE_TAMPERINGS,
  ...PREPARE_ANSWER_TAMPERINGS,
  ...OUTCOME_TAMPERINGS,
  ...TRANSPORT_TAMPERINGS,
];

/** Every way in which a service can tamper, with the error code that the client throws. */
export const HOSTILE_MODES: readonly HostileMode[] = TAMPERINGS.map(({ mode }) => mode);
