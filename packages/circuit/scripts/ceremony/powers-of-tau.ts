/** Decides which powers of tau the keys may come from. Powers whose secret is public let anyone forge proofs. */
import { createHash } from 'node:crypto';

/**
 * BLAKE2b-512 of Hermez's final powers of tau (`powersOfTau28_hez_final_NN.ptau`) by power, from the README of snarkjs. More
 * than fifty people contributed to them.
 */
export const PUBLISHED_POWERS: Readonly<Record<number, string>> = {
  11: '47c282116b892e5ac92ca238578006e31a47e7c7e70f0baa8b687f0a5203e28ea07bbbec765a98dcd654bad618475d4661bfaec3bd9ad2ed12e7abc251d94d33',
  12: 'ded2694169b7b08e898f736d5de95af87c3f1a64594013351b1a796dbee393bd825f88f9468c84505ddd11eb0b1465ac9b43b9064aa8ec97f2b73e04758b8a4a',
  13: '58efc8bf2834d04768a3d7ffcd8e1e23d461561729beaac4e3e7a47829a1c9066d5320241e124a1a8e8aa6c75be0ba66f65bc8239a0542ed38e11276f6fdb4d9',
  14: 'eeefbcf7c3803b523c94112023c7ff89558f9b8e0cf5d6cdcba3ade60f168af4a181c9c21774b94fbae6c90411995f7d854d02ebd93fb66043dbb06f17a831c1',
  15: '982372c867d229c236091f767e703253249a9b432c1710b4f326306bfa2428a17b06240359606cfe4d580b10a5a1f63fbed499527069c18ae17060472969ae6e',
};

/** The published powers of tau that a file has. */
export interface PublishedPowers {
  /** The file is for circuits of up to 2^power rows. */
  readonly power: number;
  /** BLAKE2b-512 of the file, 128 lowercase hex digits. */
  readonly hash: string;
}

/** Returns the BLAKE2b-512 of bytes: 128 lowercase hex digits. */
export function blake2b512(bytes: Uint8Array): string {
  return createHash('blake2b512').update(bytes).digest('hex');
}

/**
 * Returns which published powers of tau the bytes are. The hash is the whole proof: to verify the contributions of that ceremony
 * again would take hours.
 *
 * @throws Error if they are not published ones: then nobody knows whether their secret is public
 */
export function publishedPowers(bytes: Uint8Array, published = PUBLISHED_POWERS): PublishedPowers {
  const hash = blake2b512(bytes);
  const power = Object.keys(published).find((each) => published[Number(each)] === hash);
  if (power !== undefined) return { power: Number(power), hash };
  throw new Error(
    `The BLAKE2b-512 of the powers of tau is ${hash}, which is not published. Use powersOfTau28_hez_final_11.ptau, which the README of snarkjs lists.`,
  );
}
