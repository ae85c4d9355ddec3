import { type Address, getBase58Encoder } from '@solana/kit';
import type { Commitment } from '../chain/slots.ts';
import { invalidParams } from './errors.ts';

type Fields = Record<string, unknown>;

/** The positional parameters of a request. Every method throws -32602 for a value of the wrong type. */
export class Params {
  readonly #values: readonly unknown[];

  constructor(values: readonly unknown[]) {
    this.#values = values;
  }

  value(index: number): unknown {
    const value = this.#values[index];
    if (value === undefined || value === null) {
      throw invalidParams(`\`params\` should have at least ${index + 1} argument(s)`);
    }
    return value;
  }

  string(index: number): string {
    return asString(this.value(index), `argument ${index}`);
  }

  integer(index: number): bigint {
    return asInteger(this.value(index), `argument ${index}`);
  }

  address(index: number): Address {
    return asAddress(this.value(index));
  }

  array(index: number): readonly unknown[] {
    return asArray(this.value(index), `argument ${index}`);
  }

  arrayOrEmpty(index: number): readonly unknown[] {
    return this.#values[index] === undefined || this.#values[index] === null ? [] : this.array(index);
  }

  /** Returns the options object at a position. A missing one is empty. */
  options(index: number): Options {
    const value = this.#values[index];
    return new Options(value === undefined || value === null ? {} : asFields(value, `argument ${index}`));
  }

  /** Returns the options object at a position. In old versions of some methods, the encoding is there instead. */
  encodingOptions(index: number): Options {
    const value = this.#values[index];
    return typeof value === 'string' ? new Options({ encoding: value }) : this.options(index);
  }
}

/** The options object of a request. Unknown members are ignored, as on a node. */
export class Options {
  readonly #fields: Fields;

  constructor(fields: Fields) {
    this.#fields = fields;
  }

  commitment(name = 'commitment'): Commitment {
    const value = this.#fields[name];
    if (value === undefined || value === null) return 'finalized';
    if (value === 'processed' || value === 'confirmed' || value === 'finalized') return value;
    throw invalidParams(
      `Invalid params: unknown variant \`${String(value)}\`, expected one of \`processed\`, \`confirmed\`, \`finalized\`.`,
    );
  }

  /** Returns the names of the members. */
  names(): string[] {
    return Object.keys(this.#fields);
  }

  boolean(name: string, byDefault = false): boolean {
    const value = this.#fields[name] ?? byDefault;
    if (typeof value !== 'boolean') throw invalidParams(`Invalid params: \`${name}\` must be a boolean.`);
    return value;
  }

  string(name: string): string | undefined {
    const value = this.#fields[name] ?? undefined;
    return value === undefined ? undefined : asString(value, name);
  }

  integer(name: string): bigint | undefined {
    const value = this.#fields[name] ?? undefined;
    return value === undefined ? undefined : asInteger(value, name);
  }

  array(name: string): readonly unknown[] | undefined {
    const value = this.#fields[name] ?? undefined;
    return value === undefined ? undefined : asArray(value, name);
  }

  options(name: string): Options | undefined {
    const value = this.#fields[name] ?? undefined;
    return value === undefined ? undefined : new Options(asFields(value, name));
  }
}

function asString(value: unknown, name: string): string {
  if (typeof value !== 'string') throw invalidParams(`Invalid params: ${name} must be a string.`);
  return value;
}

/** Reads a u64. Rejects a JSON number of 2^53 or more, because it has already lost digits. */
export function asInteger(value: unknown, name: string): bigint {
  const isInteger = typeof value === 'bigint' || Number.isSafeInteger(value);
  if (!isInteger || BigInt(value as bigint) < 0n || BigInt(value as bigint) >= 1n << 64n) {
    throw invalidParams(`Invalid params: ${name} must be an unsigned integer below 2^53.`);
  }
  return BigInt(value as bigint);
}

function asArray(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) throw invalidParams(`Invalid params: ${name} must be an array.`);
  return value;
}

export function asOptions(value: unknown, name: string): Options {
  return new Options(asFields(value, name));
}

export function asAddress(value: unknown): Address {
  if (base58Bytes(value, 'address').length !== 32) throw invalidParams('Invalid param: WrongSize');
  return value as Address;
}

/** Reads a base58 signature. */
export function asSignature(value: unknown): string {
  if (base58Bytes(value, 'signature').length !== 64) throw invalidParams('Invalid param: WrongSize');
  return value as string;
}

/** Decodes base58. It limits the length first, because decoding takes quadratic time. */
export function base58Bytes(value: unknown, name: string, maxCharacters = 128): Uint8Array {
  const text = asString(value, name);
  if (text.length > maxCharacters) throw invalidParams('Invalid param: WrongSize');
  try {
    return new Uint8Array(getBase58Encoder().encode(text));
  } catch {
    throw invalidParams('Invalid param: Invalid');
  }
}

/** Decodes base64. Rejects text that is not canonical. */
export function base64Bytes(value: unknown, name: string): Uint8Array {
  const text = asString(value, name);
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) throw invalidParams(`Invalid params: ${name} is not valid base64.`);
  return new Uint8Array(bytes);
}

function asFields(value: unknown, name: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidParams(`Invalid params: ${name} must be an object.`);
  }
  return value as Fields;
}
