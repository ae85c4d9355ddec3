/** The vectors, and their plain texts in the types of our packages. */
import type { ClauseMasks, WitnessAttributes } from '@service/protocol/eligibility';
import { type Address, getAddressEncoder } from '@solana/kit';
import addressesJson from './addresses.json' with { type: 'json' };
import challengeJson from './challenge.json' with { type: 'json' };
import credentialJson from './credential.json' with { type: 'json' };
import eligibilityJson from './eligibility.json' with { type: 'json' };
import messagesJson from './messages.json' with { type: 'json' };
import proofJson from './proof.json' with { type: 'json' };

export const addresses = addressesJson;
export const challenge = challengeJson;
export const credential = credentialJson;
export const eligibility = eligibilityJson;
export const messages = messagesJson;
export const proof = proofJson;

/** A clause of the vectors: indexes of regions and statuses. */
export interface PlainClause {
  readonly regions: readonly number[];
  readonly statuses: readonly number[];
  readonly minAge: number;
}

/** The masks of a clause. */
export function clauseOf({ regions, statuses, minAge }: PlainClause): ClauseMasks {
  return {
    regionMask: regions.reduce((mask, index) => mask | (1n << BigInt(index)), 0n),
    statusMask: statuses.reduce((mask, index) => (mask | (1 << index)) >>> 0, 0),
    minAge,
  };
}

/** The witness attributes of the vectors, with the date code that they expect. */
export function attributesOf(plain: { region: number; status: number; salt: string }): WitnessAttributes {
  const { region, status, salt } = plain;
  return { region, status, birthDate: eligibility.birthDateCode, salt: BigInt(salt) };
}

/** The 32 bytes of an address. */
export function addressBytes(address: string): Uint8Array {
  return new Uint8Array(getAddressEncoder().encode(address as Address));
}

/** Bytes in hex. */
export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Hex in bytes. */
export const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));
