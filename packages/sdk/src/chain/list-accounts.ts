/** Lists accounts of a program through the caller's own RPC. */
import {
  type Address,
  type Base64EncodedBytes,
  type GetProgramAccountsMemcmpFilter,
  type MaybeEncodedAccount,
  parseBase64RpcAccount,
} from '@solana/kit';
import { type Chain, callRpc } from '../rpc/chain.ts';

/** Which accounts to list. */
interface Listing<T> {
  /** Begins a message. */
  readonly what: string;
  /** The program that owns the accounts. */
  readonly owner: Address;
  readonly filters: readonly GetProgramAccountsMemcmpFilter[];
  /** Returns an account, or null for one that was not asked for. */
  readonly read: (account: MaybeEncodedAccount) => T | null;
  /** Returns an address that no two accounts have in common. */
  readonly idOf: (found: T) => Address;
  readonly signal: AbortSignal | undefined;
}

/**
 * Lists accounts at finalized commitment, in the order of `idOf`. An answer with an account that was not asked for, or
 * with an account twice, counts as an error of the RPC.
 *
 * @throws ServiceError RPC_ERROR, ABORTED
 */
export function listAccounts<T>(
  chain: Chain,
  { what, owner, filters, read, idOf, signal }: Listing<T>,
): Promise<{ readonly slot: bigint; readonly found: readonly T[] }> {
  const asked = { commitment: 'finalized', encoding: 'base64', withContext: true, filters } as const;
  return callRpc(chain, what, signal, async (rpc, options) => {
    const { context, value } = await rpc.getProgramAccounts(owner, asked).send(options);
    const found = new Map<Address, T>();
    for (const { pubkey, account } of value) {
      const { data, ...encoded } = parseBase64RpcAccount(pubkey, account);
      const one = read({ ...encoded, data: new Uint8Array(data), exists: true });
      if (one === null || found.has(idOf(one))) {
        throw new Error(`The RPC listed ${pubkey}, which is not another account that was asked for.`);
      }
      found.set(idOf(one), one);
    }
    const inOrder = [...found].sort(([one], [other]) => (one < other ? -1 : 1));
    return { slot: context.slot, found: inOrder.map(([, account]) => account) };
  });
}

/** Returns a filter for accounts that have these bytes at an offset. */
export function memcmp<Encoding extends 'base58' | 'base64'>(
  offset: number,
  bytes: string,
  encoding: Encoding,
) {
  return { memcmp: { offset: BigInt(offset), bytes: bytes as Base64EncodedBytes & Address, encoding } };
}
