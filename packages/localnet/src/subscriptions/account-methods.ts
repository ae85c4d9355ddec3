import { lamports } from '@solana/kit';
import type { AccountState } from '../chain/account-versions.ts';
import { SYSTEM_PROGRAM } from '../chain/addresses.ts';
import { type AccountFormat, encodeAccount, isUnparsed, readAccountFormat } from '../rpc/account-encoding.ts';
import { readFilters } from '../rpc/account-filters.ts';
import { RpcError } from '../rpc/errors.ts';
import { tokenViewAt } from '../rpc/node.ts';
import type { TokenView } from '../tokens/parsed-account.ts';
import { atSlot, type SubscribeMethod } from './subscription.ts';

/** The form in which a node reports an account that was closed. */
const CLOSED: AccountState = {
  lamports: lamports(0n),
  data: new Uint8Array(),
  owner: SYSTEM_PROGRAM,
  executable: false,
};

/** Notifies of every write of an account. */
export const accountSubscribe: SubscribeMethod = (node, params) => {
  const address = params.address(0);
  const format = readAccountFormat(params.options(1), 'binary');
  const commitment = params.options(1).commitment();
  return {
    notification: 'accountNotification',
    receive(event, notify) {
      if (event.what !== 'reached' || event.commitment !== commitment || !event.written.has(address)) return;
      const view = tokenViewAt(node, event.slot);
      const state = view.read(address);
      const account = encode(state ?? CLOSED, format, view);
      notify(atSlot(event.slot, state ? account : { ...account, rentEpoch: 0n }));
    },
  };
};

/** Notifies of every write of an account that the program owns afterwards. */
export const programSubscribe: SubscribeMethod = (node, params) => {
  const program = params.address(0);
  const options = params.options(1);
  const format = readAccountFormat(options, 'binary');
  const matches = readFilters(options);
  const commitment = options.commitment();
  return {
    notification: 'programNotification',
    receive(event, notify) {
      if (event.what !== 'reached' || event.commitment !== commitment) return;
      const view = tokenViewAt(node, event.slot);
      for (const address of event.written) {
        const state = view.read(address);
        if (state?.owner !== program || !matches(state)) continue;
        const account = encode(state, format, view);
        if (!isUnparsed(account, format)) notify(atSlot(event.slot, { pubkey: address, account }));
      }
    },
  };
};

/** Returns an account in the format of a node. Data that is too long for base58 becomes a text, as on a validator. */
function encode(state: AccountState, format: AccountFormat, view: TokenView) {
  try {
    return encodeAccount(state, format, view);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const data = 'error: data too large for bs58 encoding';
    return {
      ...encodeAccount(state, { ...format, encoding: 'base64' }, view),
      data: format.encoding === 'binary' ? data : [data, format.encoding],
    };
  }
}
