/** The keys of a verifier. They can stay in a key service, so that the verifier only asks for signatures. */
import type { Address } from '@solana/kit';

/** The key of the verifier authority, which signs credentials and revocations by plain ed25519. */
export interface AttestationKey {
  readonly address: Address;
  /** Returns 64 bytes. @throws KeyError */
  sign(message: Uint8Array): Promise<Uint8Array>;
}

/** The secret key from which the persons of witnesses are derived. Never change it: everyone would be another person. */
export interface PersonKey {
  /** Returns the HMAC-SHA256 of an id: 32 bytes. @throws KeyError */
  mac(id: Uint8Array): Promise<Uint8Array>;
}

/** A key service did not respond, or its response is wrong. Nothing was signed, and the same call can succeed later. */
export class KeyError extends Error {
  override readonly name = 'KeyError';
}
