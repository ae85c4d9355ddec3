/** The bytes of a proof that takes a place of its person, as callers and the wire have them. */

/** A place of a person in a rule set that limits the wallets of each person. */
export interface Place {
  /** Its number, from 0. */
  readonly number: number;
  /** The tag of the person for it: 32 bytes, a field element, big-endian. */
  readonly tag: Uint8Array;
}

/** A proof, and the place that it takes, if any. */
export interface ProofWithPlace {
  /** 256 bytes. */
  readonly proof: Uint8Array;
  readonly place?: Place;
}

const PROOF_BYTES = 256;
const TAG_BYTES = 32;

/** Returns the proof; with a place 289 bytes: the proof, the number of the place, and the tag. */
export function joinProof({ proof, place }: ProofWithPlace): Uint8Array {
  return place ? Uint8Array.of(...proof, place.number, ...place.tag) : proof;
}

/** Returns the parts of what {@link joinProof} returns. Bytes of another length are a proof without a place. */
export function splitProof(bytes: Uint8Array): ProofWithPlace {
  if (bytes.length !== PROOF_BYTES + 1 + TAG_BYTES) return { proof: bytes };
  const tag = bytes.slice(PROOF_BYTES + 1);
  return { proof: bytes.slice(0, PROOF_BYTES), place: { number: bytes[PROOF_BYTES]!, tag } };
}
