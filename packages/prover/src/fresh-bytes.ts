/** Draws fresh random bytes, and refuses a source that does not work. */
import { sha512 } from '@noble/hashes/sha2.js';
import { ProverError } from './prover-error.ts';

/** The bytes of one draw. */
const DRAW_BYTES = 32;

/** The bytes of a digest that distinguish two draws. */
const FINGERPRINT_BYTES = 16;

/** How many draws this thread remembers. */
const REMEMBERED = 10_000;

/** Digests of the last draws, the oldest first. The draws themselves are secret, so they are not kept. */
const drawn = new Set<string>();

/**
 * Returns 64 fresh bytes from two draws of `crypto.getRandomValues`. Because of the second draw, a source that always
 * returns the same is refused at the first proof.
 *
 * @throws ProverError UNSUPPORTED_PLATFORM if the source is missing or throws, a draw repeats one byte, or this thread saw
 *   a draw before
 */
export function freshBytes(): Uint8Array {
  const bytes = new Uint8Array(2 * DRAW_BYTES);
  try {
    draw(bytes.subarray(0, DRAW_BYTES));
    draw(bytes.subarray(DRAW_BYTES));
    return bytes;
  } catch (error) {
    bytes.fill(0);
    throw error;
  }
}

function draw(bytes: Uint8Array<ArrayBuffer>): void {
  if (typeof globalThis.crypto?.getRandomValues !== 'function') throw refused('is missing');
  try {
    crypto.getRandomValues(bytes);
  } catch (cause) {
    throw refused('failed', cause);
  }
  if (bytes.every((byte) => byte === bytes[0])) throw refused('returned the same byte again and again');
  const fingerprint = String(sha512(bytes).subarray(0, FINGERPRINT_BYTES));
  if (drawn.has(fingerprint)) throw refused('returned the same bytes twice');
  drawn.add(fingerprint);
  for (const oldest of drawn) {
    if (drawn.size <= REMEMBERED) break;
    drawn.delete(oldest);
  }
}

function refused(what: string, cause?: unknown): ProverError {
  return new ProverError(
    'UNSUPPORTED_PLATFORM',
    `crypto.getRandomValues ${what}. Its numbers hide the witness in the proof, so no proof was made.`,
    { cause },
  );
}
