/** Reads from the chain what a transaction cost, account by account. */
import type { Address, Rpc, Signature, SolanaRpcApi } from '@solana/kit';

/** An account and lamports. */
export interface Rent {
  readonly name: string;
  readonly lamports: bigint;
}

/** What one transaction cost, in lamports. */
export interface Cost {
  /** The write, as the page names it. */
  readonly write: string;
  /** Who signs it and pays. */
  readonly payer: 'issuer' | 'holder' | 'service' | 'anyone';
  /** The network fee. */
  readonly fee: bigint;
  /** The other accounts whose balance changed: the rent of a new account, or lamports that moved. */
  readonly changes: readonly Rent[];
}

/** Returns what the payer of a transaction pays, in lamports: its fee, and the rent of new accounts. */
export function paidFor({ fee, changes }: Pick<Cost, 'fee' | 'changes'>): bigint {
  const paid = changes.filter(({ name, lamports }) => lamports > 0n && name !== 'the holder');
  return paid.reduce((sum, { lamports }) => sum + lamports, fee);
}

/** Returns functions that name accounts and record transactions. */
export function costRecorder(rpc: Rpc<SolanaRpcApi>) {
  const names = new Map<Address, string>();
  const writes: Cost[] = [];

  /**
   * Adds a finalized transaction. Throws if it changed the balance of an account without a name.
   *
   * @param options.moved accounts that got lamports of which the caller chose the amount; they are left out
   */
  async function record(
    payer: Cost['payer'],
    write: string,
    signature: Signature | string | null,
    { moved = [] }: { readonly moved?: readonly Address[] } = {},
  ): Promise<void> {
    const config = { commitment: 'finalized', encoding: 'json', maxSupportedTransactionVersion: 0 } as const;
    const found = await rpc.getTransaction(signature as Signature, config).send();
    if (!found?.meta) throw new Error(`${write}: the transaction ${signature} is not final`);
    const { fee, preBalances, postBalances } = found.meta;
    const changes = found.transaction.message.accountKeys.flatMap((account, index) => {
      const lamports = postBalances[index]! - preBalances[index]!;
      if (index === 0 || lamports === 0n || moved.includes(account)) return [];
      const name = names.get(account);
      if (name === undefined)
        throw new Error(`${write} changed the balance of ${account}, which has no name`);
      return [{ name, lamports }];
    });
    writes.push({ write, payer, fee, changes });
  }

  return {
    writes,
    /** Names an account for the table. */
    call: (name: string, account: Address) => void names.set(account, name),
    record,
    /** Records the newest transaction that names an account. */
    async recordNewest(payer: Cost['payer'], write: string, account: Address): Promise<void> {
      const [newest] = await rpc
        .getSignaturesForAddress(account, { commitment: 'finalized', limit: 1 })
        .send();
      await record(payer, write, newest?.signature ?? null);
    },
    /** Returns the balances of accounts that hold only rent. */
    rentsOf: (accounts: Readonly<Record<string, Address>>): Promise<Rent[]> =>
      Promise.all(
        Object.entries(accounts).map(async ([name, account]) => {
          const { value } = await rpc.getBalance(account, { commitment: 'finalized' }).send();
          return { name, lamports: value as bigint };
        }),
      ),
  };
}
