/** Default ports of `npm start`. */
export const PORTS = { site: 3000, rpc: 8899, verifier: 3001 };
/** Milliseconds per slot of the local chain. */
export const SLOT_MS = 200;
/** Slots until finality of the local chain. */
export const FINALITY_SLOTS = 8;
