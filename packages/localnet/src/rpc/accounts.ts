import { encodeAccount, encodeAccounts, readAccountFormat } from './account-encoding.ts';
import { readFilters } from './account-filters.ts';
import { invalidParams } from './errors.ts';
import { contextSlot, type RpcMethods, tokenViewAt, withContext } from './node.ts';
import { asAddress } from './params.ts';

const MAX_ACCOUNTS = 100;

/** Methods that read accounts at the slot of the requested commitment. */
export const accountMethods: RpcMethods = {
  getBalance(node, params) {
    const address = params.address(0);
    const slot = contextSlot(node, params.options(1));
    return withContext(slot, node.chain.account(address, slot)?.lamports ?? 0n);
  },

  getAccountInfo(node, params) {
    const address = params.address(0);
    const format = readAccountFormat(params.options(1), 'binary');
    const slot = contextSlot(node, params.options(1));
    const state = node.chain.account(address, slot);
    return withContext(slot, state && encodeAccount(state, format, tokenViewAt(node, slot)));
  },

  getMultipleAccounts(node, params) {
    const addresses = params.array(0);
    if (addresses.length > MAX_ACCOUNTS) throw invalidParams(`Too many inputs provided; max ${MAX_ACCOUNTS}`);
    const format = readAccountFormat(params.options(1), 'base64');
    const slot = contextSlot(node, params.options(1));
    const view = tokenViewAt(node, slot);
    const accounts = addresses.map((address) => {
      const state = view.read(asAddress(address));
      return state && encodeAccount(state, format, view);
    });
    return withContext(slot, accounts);
  },

  getProgramAccounts(node, params) {
    const program = params.address(0);
    const options = params.options(1);
    const format = readAccountFormat(options, 'binary');
    const matches = readFilters(options);
    const slot = contextSlot(node, options);
    const found = node.chain.accountsOwnedBy(program, slot).filter(({ state }) => matches(state));
    const accounts = encodeAccounts(found, format, tokenViewAt(node, slot));
    return options.boolean('withContext') ? withContext(slot, accounts) : accounts;
  },
};
