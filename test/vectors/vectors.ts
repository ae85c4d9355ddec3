/** The vectors, and conversions of their plain texts to the types of our packages. */
import type { ClauseMasks, WitnessAttributes } from '@service/protocol/eligibility';
import { type Address, getAddressEncoder } from '@solana/kit';
import eligibility from './eligibility.json' with { type: 'json' };

export { default as addresses } from './addresses.json' with { type: 'json' };
export { default as challenge } from './challenge.json' with { type: 'json' };
export { default as credential } from './credential.json' with { type: 'json' };
export { default as messages } from './messages.json' with { type: 'json' };
export { default as proof } from './proof.json' with { type: 'json' };
export { eligibility };

/** Returns the masks of a clause, which has the indexes of regions and statuses. */
export function clauseOf({
  regions,
  statuses,
  minAge,
}: (typeof eligibility.clauses)[0]['clause']): ClauseMasks {
  return {
    regionMask: regions.reduce((mask, index) => mask | (1n << BigInt(index)), 0n),
    statusMask: statuses.reduce((mask, index) => (mask | (1 << index)) >>> 0, 0),
    minAge,
  };
}

/** Returns the witness attributes of the vectors, with the date code that they expect. */
export function attributesOf(
  plain: Record<'region' | 'status', number> & Record<'salt' | 'person', string>,
): WitnessAttributes {
  const { region, status } = plain;
  const [salt, person] = [BigInt(plain.salt), BigInt(plain.person)];
  return { region, status, birthDate: eligibility.birthDateCode, salt, person };
}

/** Returns the 32 bytes of an address. */
export function addressBytes(address: string): Uint8Array {
  return new Uint8Array(getAddressEncoder().encode(address as Address));
}

/** Encodes bytes as hex. */
export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Decodes hex. */
export const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));
