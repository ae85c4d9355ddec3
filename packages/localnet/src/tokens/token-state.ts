import {
  type Address,
  getAddressDecoder,
  getArrayDecoder,
  getBooleanDecoder,
  getNullableDecoder,
  getStructDecoder,
  getU8Decoder,
  getU32Decoder,
  getU64Decoder,
} from '@solana/kit';
import type { AccountState } from '../chain/account-versions.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../chain/addresses.ts';

export const TOKEN_PROGRAMS: readonly Address[] = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM];

const MINT_BYTES = 82;
const ACCOUNT_BYTES = 165;
const MULTISIG_BYTES = 355;
/** Token-2022 pads both kinds to 165 bytes and writes the kind into the next byte. Extensions follow. */
const KIND = { mint: 1, account: 2 };
const EXTENSIONS_START = ACCOUNT_BYTES + 1;

/** Offsets in a token account. The mint, the owner and the delegate have 32 bytes each. */
export const TOKEN_ACCOUNT_OFFSETS = { mint: 0, owner: 32, delegateFlag: 72, delegate: 76 };

const OPTIONAL = { prefix: getU32Decoder(), noneValue: 'zeroes' } as const;
const optionalAddress = getNullableDecoder(getAddressDecoder(), OPTIONAL);

const accountDecoder = getStructDecoder([
  ['mint', getAddressDecoder()],
  ['owner', getAddressDecoder()],
  ['amount', getU64Decoder()],
  ['delegate', optionalAddress],
  ['state', getU8Decoder()],
  ['nativeReserve', getNullableDecoder(getU64Decoder(), OPTIONAL)],
  ['delegatedAmount', getU64Decoder()],
  ['closeAuthority', optionalAddress],
]);

const mintDecoder = getStructDecoder([
  ['mintAuthority', optionalAddress],
  ['supply', getU64Decoder()],
  ['decimals', getU8Decoder()],
  ['isInitialized', getBooleanDecoder()],
  ['freezeAuthority', optionalAddress],
]);

const multisigDecoder = getStructDecoder([
  ['numRequiredSigners', getU8Decoder()],
  ['numValidSigners', getU8Decoder()],
  ['isInitialized', getBooleanDecoder()],
  ['signers', getArrayDecoder(getAddressDecoder(), { size: 11 })],
]);

export type TokenAccount = ReturnType<typeof accountDecoder.decode>;
export type Mint = ReturnType<typeof mintDecoder.decode>;

/** Returns whether an account is an initialized token account of either token program. */
export function isTokenAccount(state: AccountState): boolean {
  return isTokenState(state, ACCOUNT_BYTES, KIND.account) && state.data[108] !== 0;
}

/** Reads a token account of either token program. Returns null for any other account. */
export function readTokenAccount(state: AccountState | null): TokenAccount | null {
  return state && isTokenAccount(state) ? accountDecoder.decode(state.data) : null;
}

/** Reads an initialized mint of either token program. Returns null for any other account. */
export function readMint(state: AccountState | null): Mint | null {
  if (!state || !isTokenState(state, MINT_BYTES, KIND.mint) || state.data[45] === 0) return null;
  return mintDecoder.decode(state.data);
}

/** Reads an initialized multisignature account of either token program. Returns null for any other account. */
export function readMultisig(state: AccountState) {
  if (!TOKEN_PROGRAMS.includes(state.owner) || state.data.length !== MULTISIG_BYTES) return null;
  const multisig = multisigDecoder.decode(state.data);
  return multisig.isInitialized ? multisig : null;
}

/** Returns the bytes of the extensions of a mint or token account; empty if it has none. */
export function extensionBytes({ data }: AccountState): Uint8Array {
  return data.subarray(EXTENSIONS_START);
}

function isTokenState(state: AccountState, bytes: number, kind: number): boolean {
  if (!TOKEN_PROGRAMS.includes(state.owner)) return false;
  const { length } = state.data;
  if (length === bytes) return true;
  if (state.owner !== TOKEN_2022_PROGRAM || length === MULTISIG_BYTES) return false;
  return length > ACCOUNT_BYTES && state.data[ACCOUNT_BYTES] === kind;
}
