/** Time limits of a proof, in milliseconds. Nothing waits without a limit. */

/** TIMEOUT if no byte of an artifact arrives for this long. `stallTimeoutMs` of `artifactsFrom` replaces it. */
export const ARTIFACT_STALL_MS = 30_000;

/** TIMEOUT if an artifact is not complete after this time, even if bytes still arrive. */
export const ARTIFACT_TOTAL_MS = 600_000;

/** If the worker is not ready after this time, the caller's thread makes the proof. */
export const WORKER_START_MS = 10_000;

/** PROVER_FAILED if the worker sends nothing for this long while it makes a proof. */
export const WORKER_SILENCE_MS = 60_000;

/** PROVER_FAILED if the native prover of the caller reports nothing for this long. */
export const NATIVE_SILENCE_MS = 60_000;
