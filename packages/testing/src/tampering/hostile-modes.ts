import type { HostileMode } from './hostile-mode.ts';
import { LIES } from './index.ts';

/**
 * Every lie that a service can be made to tell, with the code that the client answers with. Not in SPEC.md: for tests.
 */
export const HOSTILE_MODES: readonly HostileMode[] = LIES.map(({ mode }) => mode);
