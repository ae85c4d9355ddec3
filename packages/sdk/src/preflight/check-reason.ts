/** What every reason of a check has. */

/** A reason: its code, and who can act on it. The reasons of `checkProof` and `checkTransfer` extend it. */
export type CheckReason<Code extends string, Who extends string> = {
  /** Stable code. */
  readonly code: Code;
  /** Who can act on it. */
  readonly who: Who;
};
