import type { Address } from '@solana/kit';
import type { AccountState } from '../../chain/account-versions.ts';
import { tokenBalances } from '../../chain/token-balances.ts';
import { encodeAccount, readAccountFormat } from '../account-encoding.ts';
import { invalidParams } from '../errors.ts';
import { contextSlot, type RpcMethods, type RpcNode, tokenViewAt, withContext } from '../node.ts';
import { asAddress, type Options } from '../params.ts';
import { type Simulation, simulate, simulationJson } from './simulation.ts';
import { readTransaction } from './transaction-params.ts';

/** Simulates transactions without any effect. */
export const simulatingMethods: RpcMethods = {
  simulateTransaction(node, params) {
    const options = params.options(1);
    const decoded = readTransaction(params);
    const [sigVerify, replace] = [options.boolean('sigVerify'), options.boolean('replaceRecentBlockhash')];
    if (sigVerify && replace) throw invalidParams('sigVerify may not be used with replaceRecentBlockhash');
    const slot = contextSlot(node, options);
    const simulation = simulate(node, decoded, {
      slot,
      verifySignatures: sigVerify,
      checkLifetime: !replace,
    });
    const accounts = options.options('accounts');
    return withContext(slot, {
      ...simulationJson(node, simulation),
      innerInstructions: options.boolean('innerInstructions') ? simulation.innerInstructions : null,
      accounts: accounts ? readAccounts(node, simulation, accounts) : null,
      replacementBlockhash: replace ? node.chain.slots.latestBlockhash(slot) : null,
      ...balancesJson(node, simulation),
      loadedAddresses: simulation.loaded,
    });
  },
};

/** Returns the accounts that a request asks for, as they would be after the transaction. A failed one has none. */
function readAccounts(node: RpcNode, { slot, keys, err, postAccounts }: Simulation, options: Options) {
  const format = readAccountFormat(options, 'base64');
  if (format.encoding === 'binary' || format.encoding === 'base58')
    throw invalidParams('base58 encoding not supported');
  const addresses = (options.array('addresses') ?? []).map(asAddress);
  if (addresses.length > keys.length) throw invalidParams(`Too many accounts provided; max ${keys.length}`);
  if (err !== null) return addresses.map(() => null);
  const before = tokenViewAt(node, slot);
  const view = { ...before, read: (address: Address) => postAccounts.get(address) ?? before.read(address) };
  return addresses.map((address) => {
    const state = view.read(address);
    return state && encodeAccount(state, format, view);
  });
}

/** Returns the balances before and after. They are null if the signatures are wrong, because nothing was read. */
function balancesJson(node: RpcNode, { slot, keys, err, fee, postAccounts }: Simulation) {
  if (err === 'SignatureFailure')
    return { preBalances: null, postBalances: null, preTokenBalances: null, postTokenBalances: null };
  const before = (address: Address) => node.chain.account(address, slot);
  const after = (address: Address): AccountState | null => {
    const state = before(address);
    if (err === null) return postAccounts.get(address) ?? state;
    const pays = state && fee !== null && address === keys[0];
    return pays ? { ...state, lamports: state.lamports - fee } : state;
  };
  const balances = (read: typeof before) => keys.map((address) => read(address)?.lamports ?? 0n);
  return {
    preBalances: balances(before),
    postBalances: balances(after),
    preTokenBalances: tokenBalances(keys.map(before), before),
    postTokenBalances: tokenBalances(keys.map(after), after),
  };
}
