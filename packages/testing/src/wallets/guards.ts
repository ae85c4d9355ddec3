/**
 * Encodes guards: instructions of the Lighthouse program that assert something about one account. The encoding is written by
 * hand and shares no code with the SDK's reader of guards, so that neither can hide an error of the other.
 */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { AccountRole, type Address, address, getAddressEncoder } from '@solana/kit';
import type { MessageInstruction } from '../transaction-message.ts';

/** The program of all guards. */
const LIGHTHOUSE_PROGRAM = address('L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95');

/** Numbers of the instructions that take several assertions. */
const INSTRUCTION = { account: 6, token: 10 } as const;
/** Writes to the log if an assertion fails. */
const LOG_FAILURES = 4;
const EQUAL = 0;
const AT_LEAST = 4;

/** Owners that guards name by a number. */
const KNOWN_OWNERS: ReadonlyMap<string, number> = new Map([
  ['11111111111111111111111111111111', 0],
  ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 1],
  ['TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb', 2],
]);

/** The bytes of one assertion. */
type Assertion = readonly number[];

/** Assertions about any account. */
export const accountAssertions = {
  /** The account has at least so many lamports. */
  lamportsAtLeast: (lamports: bigint): Assertion => [0, ...u64(lamports), AT_LEAST],
  /** The account has exactly so many lamports. */
  lamportsEqual: (lamports: bigint): Assertion => [0, ...u64(lamports), EQUAL],
  /** The account belongs to this program. */
  owner(program: Address): Assertion {
    const number = KNOWN_OWNERS.get(program);
    return number === undefined ? [2, ...keyBytes(program), EQUAL] : [3, number, EQUAL];
  },
  /** Keccak-256 of the whole data. */
  dataHash: (data: Uint8Array): Assertion => [8, ...keccak_256(data), ...leb128(0), ...leb128(data.length)],
};

/** Assertions about token accounts. */
export const tokenAssertions = {
  /** The account has at least so many tokens. */
  amountAtLeast: (amount: bigint): Assertion => [2, ...u64(amount), AT_LEAST],
  /** The account has this delegate, or none. */
  delegate: (key: Address | null): Assertion => [3, ...(key ? [1, ...keyBytes(key)] : [0]), EQUAL],
  /** The delegate may move exactly so many tokens. */
  delegatedAmount: (amount: bigint): Assertion => [6, ...u64(amount), EQUAL],
  /** The account is the associated token account of its owner. */
  ownerIsDerived: (): Assertion => [8],
};

/** Returns a guard with assertions about an account. */
export function guard(
  kind: keyof typeof INSTRUCTION,
  about: Address,
  assertions: readonly Assertion[],
): MessageInstruction {
  return {
    programAddress: LIGHTHOUSE_PROGRAM,
    accounts: [{ address: about, role: AccountRole.READONLY }],
    data: Uint8Array.of(INSTRUCTION[kind], LOG_FAILURES, ...leb128(assertions.length), ...assertions.flat()),
  };
}

/** Encodes a number with seven bits in each byte, the lowest first. */
function leb128(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb128(value >>> 7)];
}

function u64(value: bigint): Uint8Array {
  return new Uint8Array(BigUint64Array.of(value).buffer);
}

function keyBytes(key: Address): Uint8Array {
  return new Uint8Array(getAddressEncoder().encode(key));
}
