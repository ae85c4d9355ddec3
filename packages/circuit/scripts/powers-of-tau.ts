/** Decides which powers of tau a ceremony may use. Powers whose secret is public let anyone forge proofs. */
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

/** Returns the BLAKE2b-512 of bytes: 128 lowercase hex digits. */
export function blake2b512(bytes: Uint8Array): string {
  return createHash('blake2b512').update(bytes).digest('hex');
}

/**
 * Returns the reason to believe that nobody knows the secret of verified powers of tau, for the log: they are the published
 * ones of their power, or people contributed. The second one needs trust in the coordinator: the file says which
 * contributions are secret, and no check can see whether they are.
 *
 * @param secretContributions number of contributions that the file does not mark as made by a beacon
 * @throws Error if beacons alone made them: then tau, alpha and beta are public
 */
export function secretOfPowers(powers: {
  readonly power: number;
  readonly hash: string;
  readonly secretContributions: number;
}): string {
  const { power, hash, secretContributions } = powers;
  if (PUBLISHED_POWERS[power] === hash) return `the published powers of tau of 2^${power} rows`;
  if (secretContributions > 0)
    return `powers of tau with contributions that are marked as secret: ${secretContributions}`;
  throw new Error(
    `Nobody contributed a secret to powers-of-tau.ptau, so anyone can compute its tau and forge proofs. Use powersOfTau28_hez_final_${String(power).padStart(2, '0')}.ptau of snarkjs's README.`,
  );
}
