/** Reads the options of a command. */
import { parseArgs } from 'node:util';
import { type Address, isAddress } from '@solana/kit';

/** The error of a wrong command line, for the person who typed it. */
export class UsageError extends Error {}

/** The options of a command line. Each method throws UsageError if the option is missing or has another form. */
export interface Options {
  text(name: string): string;
  address(name: string): Address;
  /** A whole number, 0 to 2^64 - 1. */
  number(name: string): bigint;
  flag(name: string): boolean;
  /** Whether an option says `yes`, and not `no`. */
  yes(name: string): boolean;
  has(name: string): boolean;
  /** Returns the text of an option as it was given; the empty text for a flag. */
  shown(name: string): string;
  /** Returns null for `none`. */
  optional<K extends 'address' | 'number'>(name: string, kind: K): ReturnType<Options[K]> | null;
}

/**
 * Parses the options of a command.
 *
 * @param known What each option is, by name. One with an empty text is a flag.
 * @throws UsageError
 */
export function readOptions(argv: readonly string[], known: Readonly<Record<string, string>>): Options {
  const values = parse(argv, known);
  const text = (name: string) => {
    const value = values[name];
    if (typeof value === 'string' && value !== '') return value;
    throw new UsageError(`--${name} is missing: ${known[name]}.`);
  };
  const options: Options = {
    text,
    address(name) {
      const value = text(name);
      if (!isAddress(value)) throw new UsageError(`--${name} must be a base58 address of 32 bytes.`);
      return value;
    },
    number(name) {
      const value = text(name);
      if (!/^\d{1,20}$/.test(value) || BigInt(value) >= 2n ** 64n)
        throw new UsageError(`--${name} must be a whole number from 0 to 2^64 - 1.`);
      return BigInt(value);
    },
    flag: (name) => values[name] === true,
    yes(name) {
      const value = text(name);
      if (value === 'yes' || value === 'no') return value === 'yes';
      throw new UsageError(`--${name} must be yes or no.`);
    },
    has: (name) => values[name] !== undefined,
    shown: (name) => (typeof values[name] === 'string' ? values[name] : ''),
    optional: (name, kind) => (text(name) === 'none' ? null : (options[kind](name) as never)),
  };
  return options;
}

function parse(argv: readonly string[], known: Readonly<Record<string, string>>) {
  const typeOf = (what: string) => ({ type: what === '' ? ('boolean' as const) : ('string' as const) });
  const options = Object.fromEntries(Object.entries(known).map(([name, what]) => [name, typeOf(what)]));
  try {
    return parseArgs({ args: [...argv], options }).values;
  } catch (error) {
    const [line = ''] = error instanceof Error ? error.message.split('\n') : [];
    throw new UsageError(line || 'The options cannot be read.');
  }
}
