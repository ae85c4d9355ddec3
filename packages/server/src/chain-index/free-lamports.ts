/** Reads lamports above rent from the chain, because anyone can send lamports to an account without the program. */
import {
  aboveRent,
  decodeAccount,
  passFundsOf,
  programAddresses,
  RENT_SYSVAR,
  rentOf,
} from '@service/protocol';
import { getTreasuryDecoder } from '@service/protocol/generated';
import { type Address, type Commitment, fetchEncodedAccounts } from '@solana/kit';
import { batchesOf } from '../lib/batches.ts';
import type { Service } from '../service.ts';

/** Rule sets in one request. An RPC returns at most 100 accounts, and one of them is the rent. */
const AT_ONCE = 99;

type ChainReader = Pick<Service, 'rpc' | 'settings'>;

/** Reads the pass funds of rule sets in lamports, at finalized. Leaves out those that do not exist. Throws the RPC's errors. */
export async function readPassFunds(
  reader: ChainReader,
  addresses: readonly Address[],
  signal: AbortSignal,
): Promise<Map<Address, bigint>> {
  const funds = new Map<Address, bigint>();
  for (const some of batchesOf(addresses, AT_ONCE)) {
    const { accounts, rent } = await readWithRent(reader, some, signal);
    for (const account of accounts) {
      const ruleSet = decodeAccount(reader.settings.program, 'ruleSet', account);
      if (ruleSet) funds.set(ruleSet.address, passFundsOf(ruleSet, rent(ruleSet.space)));
    }
  }
  return funds;
}

/** Reads the pass fees that the treasury holds in lamports, at finalized. Throws the RPC's errors. */
export async function readTreasury(reader: ChainReader, signal: AbortSignal): Promise<bigint> {
  const address = await programAddresses(reader.settings.program).treasury();
  const { accounts, rent } = await readWithRent(reader, [address], signal);
  const [treasury] = accounts;
  return treasury?.exists ? aboveRent(treasury.lamports, rent(getTreasuryDecoder().fixedSize)) : 0n;
}

/** Reads at most 99 accounts, by default at finalized, and the rent of accounts by their size. Throws the RPC's errors. */
export async function readWithRent(
  { rpc }: Pick<Service, 'rpc'>,
  addresses: readonly Address[],
  abortSignal: AbortSignal,
  commitment: Commitment = 'finalized',
) {
  const options = { commitment, abortSignal };
  const accounts = await fetchEncodedAccounts(rpc, [...addresses, RENT_SYSVAR], options);
  return { rent: rentOf(accounts.pop()), accounts };
}
