/** How long anything of a proof may take before it is given up, in milliseconds. Nothing waits for ever. */

/** Nothing arrives of an artifact for so long: TIMEOUT. `stallTimeoutMs` of `artifactsFrom` sets another. */
export const ARTIFACT_STALL_MS = 30_000;

/** An artifact is not there altogether after so long, however it trickles: TIMEOUT. */
export const ARTIFACT_TOTAL_MS = 600_000;

/** The worker is not ready after so long: the caller's own thread proves. */
export const WORKER_START_MS = 10_000;

/** The worker, while it makes a proof, says nothing for so long: PROVER_FAILED. */
export const WORKER_SILENCE_MS = 60_000;
