import { getBase58Decoder } from '@solana/kit';
import type { AccountState } from '../chain/account-versions.ts';
import { invalidParams, RpcError } from './errors.ts';
import type { Options } from './params.ts';

const RENT_EPOCH_EXEMPT = 18_446_744_073_709_551_615n;
const MAX_BASE58_BYTES = 128;

const ENCODINGS = ['binary', 'base58', 'base64', 'jsonParsed'] as const;
type Encoding = (typeof ENCODINGS)[number];

/** The encoding and the slice of account data that a request asks for. */
export interface AccountFormat {
  encoding: Encoding;
  slice: { offset: number; length: number } | undefined;
}

/** Reads `encoding` and `dataSlice`. Throws -32602 for an encoding that this node does not support. */
export function readAccountFormat(options: Options, defaultEncoding: Encoding): AccountFormat {
  const encoding = options.string('encoding') ?? defaultEncoding;
  if (encoding === 'base64+zstd') {
    throw invalidParams('Invalid params: this node does not compress accounts. Use encoding `base64`.');
  }
  if (!isEncoding(encoding)) {
    throw invalidParams(
      `Invalid params: unknown variant \`${encoding}\`, expected one of \`base58\`, \`base64\`, \`jsonParsed\`.`,
    );
  }
  const slice = options.options('dataSlice');
  if (!slice) return { encoding, slice: undefined };
  const [offset, length] = [slice.integer('offset'), slice.integer('length')];
  if (offset === undefined || length === undefined) {
    throw invalidParams('Invalid params: `dataSlice` must contain `offset` and `length`.');
  }
  return { encoding, slice: { offset: Number(offset), length: Number(length) } };
}

/** Returns an account in the format of a node. `jsonParsed` returns base64, as nodes do for unknown programs. */
export function encodeAccount(state: AccountState, { encoding, slice }: AccountFormat) {
  const { lamports, owner, executable } = state;
  const data = slice ? state.data.subarray(slice.offset, slice.offset + slice.length) : state.data;
  return {
    data: encodeData(data, encoding),
    executable,
    lamports,
    owner,
    rentEpoch: RENT_EPOCH_EXEMPT,
    space: BigInt(state.data.length),
  };
}

/** Returns bytes as base64. */
export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

function encodeData(data: Uint8Array, encoding: Encoding) {
  if (encoding === 'base64' || encoding === 'jsonParsed') return [toBase64(data), 'base64'];
  if (data.length > MAX_BASE58_BYTES) {
    throw new RpcError(
      'invalidRequest',
      `Encoded binary (base 58) data should be less than ${MAX_BASE58_BYTES} bytes, please use Base64 encoding.`,
    );
  }
  const text = getBase58Decoder().decode(data);
  return encoding === 'binary' ? text : [text, 'base58'];
}

function isEncoding(value: string): value is Encoding {
  return (ENCODINGS as readonly string[]).includes(value);
}
