import type { AccountState } from '../chain/account-versions.ts';
import { isTokenAccount } from '../tokens/token-state.ts';
import { invalidParams } from './errors.ts';
import { asOptions, base58Bytes, base64Bytes, type Options } from './params.ts';

const MAX_FILTERS = 4;
const MAX_COMPARED_BYTES = 128;

type Filter = (state: AccountState) => boolean;

/** Reads `filters`. Returns a function that is true for an account that matches every filter. */
export function readFilters(options: Options): Filter {
  const filters = (options.array('filters') ?? []).map(readFilter);
  if (filters.length > MAX_FILTERS) throw invalidParams(`Too many filters provided; max ${MAX_FILTERS}`);
  return (state) => filters.every((filter) => filter(state));
}

function readFilter(value: unknown): Filter {
  if (value === 'tokenAccountState') return isTokenAccount;
  const options = asOptions(value, 'filters');
  if (options.names().length !== 1)
    throw invalidParams('Invalid params: invalid value: map, expected map with a single key.');
  const size = options.integer('dataSize');
  if (size !== undefined) return (state) => BigInt(state.data.length) === size;
  const memcmp = options.options('memcmp');
  if (memcmp) return readComparison(memcmp);
  throw invalidParams('Invalid params: a filter is one of `dataSize`, `memcmp`, `tokenAccountState`.');
}

function readComparison(memcmp: Options): Filter {
  const offset = memcmp.integer('offset');
  const text = memcmp.string('bytes');
  if (offset === undefined || text === undefined) {
    throw invalidParams('Invalid params: `memcmp` must contain `offset` and `bytes`.');
  }
  const wanted = decodeCompared(text, memcmp.string('encoding') ?? 'base58');
  if (wanted.length > MAX_COMPARED_BYTES) {
    throw invalidParams('Invalid param: filter data too large');
  }
  const start = Number(offset);
  return ({ data }) => holdsBytes(data, start, wanted);
}

/** Returns whether data has these bytes at an offset. */
export function holdsBytes(data: Uint8Array, offset: number, bytes: Uint8Array): boolean {
  if (data.length < offset + bytes.length) return false;
  for (let index = 0; index < bytes.length; index++) {
    if (data[offset + index] !== bytes[index]) return false;
  }
  return true;
}

function decodeCompared(text: string, encoding: string): Uint8Array {
  if (encoding === 'base58') return base58Bytes(text, 'bytes', 175);
  if (encoding === 'base64') return base64Bytes(text, 'bytes');
  throw invalidParams(`Invalid params: unknown variant \`${encoding}\`, expected \`base58\` or \`base64\`.`);
}
