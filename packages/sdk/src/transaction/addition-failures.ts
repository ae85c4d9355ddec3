/** What to do when an addition of the wallet stopped a transaction. No check before the signature can report that. */

/** For a guard that failed. */
export const GUARD_REMEDY =
  'A guard that the wallet added did not hold, for example because an account changed in the meantime. Try again. If it fails again, use another wallet.';

/** For an instruction that ended without an error of its program. */
export const LIMIT_REMEDY =
  'No program returned an error. If the wallet set a compute limit, it may be too low: reset it in the wallet, or use another wallet.';
