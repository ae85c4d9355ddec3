/** Reads lamports above rent from the chain, because anyone can send lamports to an account without the program. */
import { aboveRent } from '@service/protocol';
import type { Address } from '@solana/kit';
import type { Service } from '../service.ts';

const ACCOUNTS_PER_REQUEST = 100;

/**
 * Reads the lamports of each account above the rent of its size, at finalized: pass funds, or collected pass fees. Leaves
 * out accounts that do not exist. Throws the RPC's errors.
 */
export async function readFreeLamports(
  { rpc }: Pick<Service, 'rpc'>,
  addresses: readonly Address[],
  signal: AbortSignal,
): Promise<Map<Address, bigint>> {
  const held: { address: Address; lamports: bigint; space: bigint }[] = [];
  for (let start = 0; start < addresses.length; start += ACCOUNTS_PER_REQUEST) {
    const some = addresses.slice(start, start + ACCOUNTS_PER_REQUEST);
    const { value } = await rpc
      .getMultipleAccounts(some, {
        commitment: 'finalized',
        encoding: 'base64',
        dataSlice: { offset: 0, length: 0 },
      })
      .send({ abortSignal: signal });
    for (const [index, address] of some.entries()) {
      const account = value[index];
      if (account) held.push({ address, lamports: account.lamports, space: account.space });
    }
  }
  const rents = await readRents(
    rpc,
    held.map(({ space }) => space),
    signal,
  );
  return new Map(
    held.map(({ address, lamports, space }) => {
      return [address, aboveRent(lamports, rents.get(space) ?? 0n)];
    }),
  );
}

async function readRents(
  rpc: Service['rpc'],
  spaces: readonly bigint[],
  abortSignal: AbortSignal,
): Promise<Map<bigint, bigint>> {
  const rents = [...new Set(spaces)].map(
    async (space) =>
      [space, await rpc.getMinimumBalanceForRentExemption(space).send({ abortSignal })] as const,
  );
  return new Map(await Promise.all(rents));
}
