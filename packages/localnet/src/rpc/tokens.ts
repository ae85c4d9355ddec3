import { type Address, getAddressEncoder } from '@solana/kit';
import type { AccountState } from '../chain/account-versions.ts';
import { compareAddresses } from '../chain/addresses.ts';
import { mintAmounts, type TokenView } from '../tokens/parsed-account.ts';
import {
  isTokenAccount,
  readMint,
  readTokenAccount,
  TOKEN_ACCOUNT_OFFSETS,
  TOKEN_PROGRAMS,
} from '../tokens/token-state.ts';
import { type MintAmounts, uiTokenAmount } from '../tokens/ui-amount.ts';
import { encodeAccounts, readAccountFormat } from './account-encoding.ts';
import { holdsBytes } from './account-filters.ts';
import { invalidParams } from './errors.ts';
import { contextSlot, type RpcMethods, type RpcNode, tokenViewAt, withContext } from './node.ts';
import { asAddress, type Options, type Params } from './params.ts';

const MAX_LARGEST_ACCOUNTS = 20;

/** Methods that read mints and token accounts of SPL Token and Token-2022 at the slot of the requested commitment. */
export const tokenMethods: RpcMethods = {
  getTokenAccountBalance(node, params) {
    const address = params.address(0);
    const slot = contextSlot(node, params.options(1));
    const view = tokenViewAt(node, slot);
    const state = view.read(address);
    if (!state) throw invalidParams('Invalid param: could not find account');
    const account = readTokenAccount(state);
    if (!account) throw invalidParams('Invalid param: not a Token account');
    const { amounts } = wantedMint(account.mint, view);
    return withContext(slot, uiTokenAmount(account.amount, amounts, view.time));
  },

  getTokenSupply(node, params) {
    const address = params.address(0);
    const slot = contextSlot(node, params.options(1));
    const view = tokenViewAt(node, slot);
    const state = view.read(address);
    if (!state) throw invalidParams('Invalid param: could not find account');
    if (!TOKEN_PROGRAMS.includes(state.owner)) throw invalidParams('Invalid param: not a Token mint');
    const [mint, amounts] = [readMint(state), mintAmounts(address, view)];
    if (!mint || !amounts) throw invalidParams('Invalid param: mint could not be unpacked');
    return withContext(slot, uiTokenAmount(mint.supply, amounts, view.time));
  },

  getTokenLargestAccounts(node, params) {
    const mint = params.address(0);
    const slot = contextSlot(node, params.options(1));
    const view = tokenViewAt(node, slot);
    const { program, amounts } = wantedMint(mint, view);
    const largest = node.chain
      .accountsOwnedBy(program, slot)
      .filter(({ state }) => isTokenAccount(state) && holdsAddress(state, 'mint', bytesOf(mint)))
      .map(({ address, state }) => ({ address, amount: readTokenAccount(state)!.amount }))
      .sort(byAmountDescending)
      .slice(0, MAX_LARGEST_ACCOUNTS);
    return withContext(
      slot,
      largest.map(({ address, amount }) => ({ address, ...uiTokenAmount(amount, amounts, view.time) })),
    );
  },

  getTokenAccountsByOwner: (node, params) =>
    listTokenAccounts(node, params, (owner) => (state) => holdsAddress(state, 'owner', owner)),

  getTokenAccountsByDelegate: (node, params) =>
    listTokenAccounts(
      node,
      params,
      (delegate) => (state) =>
        state.data[TOKEN_ACCOUNT_OFFSETS.delegateFlag] === 1 && holdsAddress(state, 'delegate', delegate),
    ),
};

/** Lists the token accounts of one mint or program that match an address. */
function listTokenAccounts(
  node: RpcNode,
  params: Params,
  matcher: (bytes: Uint8Array) => (state: AccountState) => boolean,
) {
  const matches = matcher(bytesOf(params.address(0)));
  params.value(1);
  const wanted = params.options(1);
  const format = readAccountFormat(params.options(2), 'binary');
  const slot = contextSlot(node, params.options(2));
  const view = tokenViewAt(node, slot);
  const { program, mint } = readWanted(wanted, view);
  const mintBytes = mint && bytesOf(mint);
  const accounts = node.chain
    .accountsOwnedBy(program, slot)
    .filter(({ state }) => isTokenAccount(state) && matches(state))
    .filter(({ state }) => !mintBytes || holdsAddress(state, 'mint', mintBytes));
  return withContext(slot, encodeAccounts(accounts, format, view));
}

function readWanted(wanted: Options, view: TokenView): { program: Address; mint?: Address } {
  const [mint, programId] = [wanted.string('mint'), wanted.string('programId')];
  if (mint !== undefined) {
    const address = asAddress(mint);
    return { program: wantedMint(address, view).program, mint: address };
  }
  if (programId === undefined) throw invalidParams('Invalid params: set either `mint` or `programId`.');
  const program = asAddress(programId);
  if (!TOKEN_PROGRAMS.includes(program)) throw invalidParams('Invalid param: unrecognized Token program id');
  return { program };
}

/** Returns the program of a mint, and how to show its amounts. Throws -32602 if the account is not a mint. */
function wantedMint(mint: Address, view: TokenView): { program: Address; amounts: MintAmounts } {
  const state = view.read(mint);
  if (!state) throw invalidParams('Invalid param: could not find mint');
  const amounts = mintAmounts(mint, view);
  if (!amounts) throw invalidParams('Invalid param: Token mint could not be unpacked');
  return { program: state.owner, amounts };
}

/** Compares bytes, because decoding the addresses of every token account would be slow. */
function holdsAddress(
  { data }: AccountState,
  field: 'mint' | 'owner' | 'delegate',
  bytes: Uint8Array,
): boolean {
  return holdsBytes(data, TOKEN_ACCOUNT_OFFSETS[field], bytes);
}

interface Holding {
  address: Address;
  amount: bigint;
}

/** Sorts equal amounts by their address, as a node does. */
function byAmountDescending(a: Holding, b: Holding): number {
  if (a.amount !== b.amount) return a.amount < b.amount ? 1 : -1;
  return compareAddresses(b.address, a.address);
}

function bytesOf(address: Address): Uint8Array {
  return new Uint8Array(getAddressEncoder().encode(address));
}
