import { type Address, getBase58Decoder } from '@solana/kit';
import type { AccountState } from '../chain/account-versions.ts';
import { compareAddresses } from '../chain/addresses.ts';
import { parseTokenAccount, type TokenView } from '../tokens/parsed-account.ts';
import { TOKEN_PROGRAMS } from '../tokens/token-state.ts';
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

/**
 * Returns an account in the format of a node. `jsonParsed` parses the accounts of the token programs, and returns base64
 * for others.
 */
export function encodeAccount(state: AccountState, format: AccountFormat, view: TokenView) {
  const { lamports, owner, executable } = state;
  return {
    data: isParsable(owner, format)
      ? (parseTokenAccount(state, view) ?? encodeData(state.data, 'base64'))
      : encodeData(slicedData(state.data, format), format.encoding),
    executable,
    lamports,
    owner,
    rentEpoch: RENT_EPOCH_EXEMPT,
    space: BigInt(state.data.length),
  };
}

/**
 * Returns a list of accounts in the format of a node, sorted by address. With `jsonParsed`, it leaves out accounts of the
 * token programs that are not initialized.
 */
export function encodeAccounts(
  accounts: readonly { address: Address; state: AccountState }[],
  format: AccountFormat,
  view: TokenView,
) {
  return accounts
    .toSorted((a, b) => compareAddresses(a.address, b.address))
    .map(({ address, state }) => ({ pubkey: address, account: encodeAccount(state, format, view) }))
    .filter(({ account }) => !isUnparsed(account, format));
}

/** Returns whether an account of a token program could not be parsed. Lists of parsed accounts leave it out. */
export function isUnparsed(
  { owner, data }: { owner: Address; data: unknown },
  format: AccountFormat,
): boolean {
  return isParsable(owner, format) && Array.isArray(data);
}

/** Returns bytes as base64. */
export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

function isParsable(owner: Address, { encoding }: AccountFormat): boolean {
  return encoding === 'jsonParsed' && TOKEN_PROGRAMS.includes(owner);
}

function slicedData(data: Uint8Array, { slice }: AccountFormat): Uint8Array {
  return slice ? data.subarray(slice.offset, slice.offset + slice.length) : data;
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
