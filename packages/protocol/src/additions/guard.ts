/**
 * Reads guards: instructions that a wallet adds to check accounts while the transaction runs. Only those of Lighthouse
 * that read one account are known here. The grammar is that of its program, github.com/Jac0xb/lighthouse.
 */
import { type Address, address } from '@solana/kit';

/** The Lighthouse program, whose instructions wallets add as guards. */
export const LIGHTHOUSE_PROGRAM: Address = address('L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95');

/** Reads one field at an offset. Returns the offset after it, or null if no such field is there. */
type Field = (data: Uint8Array, at: number) => number | null;

/** A field of a fixed number of bytes, with any content. */
const bytes =
  (count: number): Field =>
  (data, at) =>
    at + count <= data.length ? at + count : null;

/** A number of one byte. */
const byteUpTo =
  (largest: number): Field =>
  (data, at) =>
    at < data.length && data[at]! <= largest ? at + 1 : null;

/** An optional field: it follows only if the byte before it is 1. */
const optional =
  (field: Field): Field =>
  (data, at) =>
    data[at] === 0 ? at + 1 : data[at] === 1 ? field(data, at + 1) : null;

/** Fields, one after another. */
const all =
  (...fields: readonly Field[]): Field =>
  (data, at) =>
    fields.reduce<number | null>((next, field) => (next === null ? null : field(data, next)), at);

/** One of several kinds of fields, which the byte before it numbers. */
const oneOf =
  (kinds: readonly Field[]): Field =>
  (data, at) =>
    kinds[data[at] ?? kinds.length]?.(data, at + 1) ?? null;

/** An offset or a length in LEB128, in its shortest form. Two bytes hold more than the largest account that guards read. */
const compact: Field = (data, at) => {
  if (at >= data.length) return null;
  if (data[at]! < 0x80) return at + 1;
  const high = data[at + 1] ?? 0;
  return high > 0 && high < 0x80 ? at + 2 : null;
};

/** One or more assertions, after their number in one byte. */
const listOf =
  (field: Field): Field =>
  (data, at) => {
    const count = data[at] ?? 0;
    if (count === 0 || count >= 0x80) return null;
    return all(...Array.from({ length: count }, () => field))(data, at + 1);
  };

const bool = byteUpTo(1);
const equality = byteUpTo(1);
const comparison = byteUpTo(7);
const key = bytes(32);
const u64 = bytes(8);

/** An assertion on the balance, the owner, the flags or the hash of the data of an account. */
const accountInfo = oneOf([
  all(u64, comparison),
  all(u64, comparison),
  all(key, equality),
  all(byteUpTo(8), equality),
  all(u64, comparison),
  all(bool, equality),
  all(bool, equality),
  all(bool, equality),
  all(key, compact, compact),
]);

/** An assertion on a field of a token account. */
const tokenAccount = oneOf([
  all(key, equality),
  all(key, equality),
  all(u64, comparison),
  all(optional(key), equality),
  all(byteUpTo(255), comparison),
  all(optional(u64), equality),
  all(u64, comparison),
  all(optional(key), equality),
  all(),
]);

/** The instructions that only read one account, by their number. */
const INSTRUCTIONS: Readonly<Record<number, Field>> = {
  5: accountInfo,
  6: listOf(accountInfo),
  9: tokenAccount,
  10: listOf(tokenAccount),
};

/** Log levels that write to the log. The others, 3 and 6, call another program. */
const LOG_LEVELS: readonly number[] = [0, 1, 2, 4, 5];

/**
 * Returns whether the data of an instruction of {@link LIGHTHOUSE_PROGRAM} is an assertion on one account, to the last byte.
 * Such an instruction changes nothing and calls no program.
 */
export function isGuardData(data: Uint8Array): boolean {
  const [kind = -1, logLevel = -1] = data;
  return LOG_LEVELS.includes(logLevel) && INSTRUCTIONS[kind]?.(data, 2) === data.length;
}
