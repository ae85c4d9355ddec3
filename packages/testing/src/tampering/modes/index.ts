import type { HostileMode } from '../hostile-mode.ts';
import { OUTCOME_MODES } from './outcome.ts';
import { PREPARE_MODES } from './prepare.ts';
import { READ_MODES } from './reads.ts';
import { SIGN_IN_MODES } from './sign-in.ts';
import { TRANSPORT_MODES } from './transport.ts';

/**
 * Ways in which a service can tamper, in the order in which a visitor meets them. Each leads to something else that a page
 * must show. {@link HostileMode.code} is the error that the client throws.
 */
export const HOSTILE_MODES: readonly HostileMode[] = [
  ...SIGN_IN_MODES,
  ...READ_MODES,
  ...PREPARE_MODES,
  ...OUTCOME_MODES,
  ...TRANSPORT_MODES,
];
