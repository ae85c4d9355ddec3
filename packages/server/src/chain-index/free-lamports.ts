/** Reads lamports above rent from the chain, because anyone can send lamports to an account without the program. */
import {
  type AccountOf,
  aboveRent,
  type Found,
  passFundsOf,
  programAddresses,
  readAccounts,
} from '@service/protocol';
import { getTreasuryDecoder } from '@service/protocol/generated';
import type { Address } from '@solana/kit';
import type { Service } from '../service.ts';

const ACCOUNTS_PER_REQUEST = 100;

type ChainReader = Pick<Service, 'rpc' | 'settings'>;

/** Reads the pass funds of rule sets in lamports, at finalized. Leaves out those that do not exist. Throws the RPC's errors. */
export async function readPassFunds(
  { rpc, settings }: ChainReader,
  addresses: readonly Address[],
  signal: AbortSignal,
): Promise<Map<Address, bigint>> {
  const reader = { rpc, program: settings.program, commitment: 'finalized', signal } as const;
  const found: Found<AccountOf<'ruleSet'>>[] = [];
  for (let start = 0; start < addresses.length; start += ACCOUNTS_PER_REQUEST) {
    const some = addresses.slice(start, start + ACCOUNTS_PER_REQUEST);
    const read = await readAccounts(
      reader,
      some.map((address) => ['ruleSet', address] as const),
    );
    found.push(...read.filter((ruleSet) => ruleSet !== null));
  }
  const rents = await readRents(
    rpc,
    found.map(({ space }) => space),
    signal,
  );
  return new Map(found.map((ruleSet) => [ruleSet.address, passFundsOf(ruleSet, rents.get(ruleSet.space)!)]));
}

/** Reads the pass fees that the treasury holds in lamports, at finalized. Throws the RPC's errors. */
export async function readTreasury(
  { rpc, settings }: ChainReader,
  abortSignal: AbortSignal,
): Promise<bigint> {
  const treasury = await programAddresses(settings.program).treasury();
  const space = BigInt(getTreasuryDecoder().fixedSize);
  const [{ value: lamports }, rent] = await Promise.all([
    rpc.getBalance(treasury, { commitment: 'finalized' }).send({ abortSignal }),
    rpc.getMinimumBalanceForRentExemption(space).send({ abortSignal }),
  ]);
  return aboveRent(lamports, rent);
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
