import { type Address, getAddressEncoder } from '@solana/kit';
import type { AccountState } from '../chain/account-versions.ts';
import {
  isTokenAccount,
  readMint,
  readTokenAccount,
  TOKEN_ACCOUNT_OFFSETS,
  TOKEN_PROGRAMS,
  uiTokenAmount,
} from '../chain/token-balances.ts';
import { encodeAccount, readAccountFormat } from './account-encoding.ts';
import { holdsBytes } from './account-filters.ts';
import { invalidParams } from './errors.ts';
import { contextSlot, type RpcMethods, type RpcNode, withContext } from './node.ts';
import { asAddress, type Options } from './params.ts';

/** Methods that read mints and token accounts of SPL Token and Token-2022 at the slot of the requested commitment. */
export const tokenMethods: RpcMethods = {
  getTokenAccountBalance(node, params) {
    const address = params.address(0);
    const slot = contextSlot(node, params.options(1));
    const state = node.chain.account(address, slot);
    if (!state) throw invalidParams('Invalid param: could not find account');
    const account = readTokenAccount(state);
    if (!account) throw invalidParams('Invalid param: not a Token account');
    const mint = readMint(node.chain.account(account.mint, slot));
    if (!mint) throw invalidParams('Invalid param: could not find mint');
    return withContext(slot, uiTokenAmount(account.amount, mint.decimals));
  },

  getTokenSupply(node, params) {
    const address = params.address(0);
    const slot = contextSlot(node, params.options(1));
    const state = node.chain.account(address, slot);
    if (!state) throw invalidParams('Invalid param: could not find account');
    const mint = readMint(state);
    if (!mint) throw invalidParams('Invalid param: not a Token mint');
    return withContext(slot, uiTokenAmount(mint.supply, mint.decimals));
  },

  getTokenAccountsByOwner(node, params) {
    const owner = params.address(0);
    params.value(1);
    const wanted = params.options(1);
    const format = readAccountFormat(params.options(2), 'binary');
    const slot = contextSlot(node, params.options(2));
    const { program, mint } = readWanted(node, wanted, slot);
    // Compare bytes, because decoding the addresses of every token account would be slow.
    const [ownerBytes, mintBytes] = [bytesOf(owner), mint && bytesOf(mint)];
    const isWanted = (state: AccountState) =>
      isTokenAccount(state) &&
      holdsBytes(state.data, TOKEN_ACCOUNT_OFFSETS.owner, ownerBytes) &&
      (!mintBytes || holdsBytes(state.data, TOKEN_ACCOUNT_OFFSETS.mint, mintBytes));
    const accounts = node.chain
      .accountsOwnedBy(program, slot)
      .filter(({ state }) => isWanted(state))
      .map(({ address, state }) => ({ pubkey: address, account: encodeAccount(state, format) }));
    return withContext(slot, accounts);
  },
};

function readWanted(node: RpcNode, wanted: Options, slot: bigint): { program: Address; mint?: Address } {
  const [mint, programId] = [wanted.string('mint'), wanted.string('programId')];
  if (mint !== undefined) {
    const address = asAddress(mint);
    const state = node.chain.account(address, slot);
    if (!state) throw invalidParams('Invalid param: could not find mint');
    if (!readMint(state)) throw invalidParams('Invalid param: not a Token mint');
    return { program: state.owner, mint: address };
  }
  if (programId === undefined) throw invalidParams('Invalid params: set either `mint` or `programId`.');
  const program = asAddress(programId);
  if (!TOKEN_PROGRAMS.includes(program)) throw invalidParams('Invalid param: unrecognized Token program id');
  return { program };
}

function bytesOf(address: Address): Uint8Array {
  return new Uint8Array(getAddressEncoder().encode(address));
}
