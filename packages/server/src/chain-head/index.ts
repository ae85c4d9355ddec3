/** Facts about the newest blocks. */
import {
  type AccountOf,
  type ChainReader,
  CLOCK_SYSVAR,
  programAddresses,
  readAccount,
} from '@service/protocol';
import { type Commitment, fetchEncodedAccounts } from '@solana/kit';
import { getSysvarClockDecoder } from '@solana/sysvars';
import type { Service } from '../service.ts';

/** A slot and its time in Unix seconds. */
export interface ChainTip {
  readonly slot: bigint;
  readonly time: bigint;
}

/** Reads the newest slot, by default a finalized one, and the chain time that programs see in it. Throws the RPC's errors. */
export async function readChainTip(
  { rpc }: Pick<Service, 'rpc'>,
  abortSignal: AbortSignal,
  commitment: Commitment = 'finalized',
): Promise<ChainTip> {
  const [account] = await fetchEncodedAccounts(rpc, [CLOCK_SYSVAR], { commitment, abortSignal });
  if (!account?.exists) throw new Error('The RPC has no Clock sysvar. Set RPC_URL to a Solana RPC.');
  const { slot, unixTimestamp } = getSysvarClockDecoder().decode(account.data);
  return { slot, time: unixTimestamp };
}

/** Returns a reader of the chain at a commitment. */
export function readerAt(
  { rpc, settings }: Pick<Service, 'rpc' | 'settings'>,
  commitment: Commitment,
  signal: AbortSignal,
): ChainReader {
  return { rpc, program: settings.program, commitment, signal };
}

// All requests within `settings.sharedReadMs` share one read of each fact below, so that requests do not multiply RPC calls. The
// chain checks each transaction again, so a fact may be that old.

/** Returns the newest confirmed blockhash and its slot. Throws the RPC's errors. */
export function latestBlockhash({ rpc, shared }: Pick<Service, 'rpc' | 'shared'>) {
  return shared('blockhash', (abortSignal) =>
    rpc.getLatestBlockhash({ commitment: 'confirmed' }).send({ abortSignal }),
  );
}

/** Returns the confirmed block height. Throws the RPC's errors. */
export function confirmedHeight({ rpc, shared }: Service): Promise<bigint> {
  return shared('height', (abortSignal) =>
    rpc.getBlockHeight({ commitment: 'confirmed' }).send({ abortSignal }),
  );
}

/** Returns the governance config at confirmed, or null before the set-up. Throws the RPC's errors. */
export function confirmedConfig(service: Service): Promise<AccountOf<'config'> | null> {
  return service.shared('config', async (signal) => {
    const address = await programAddresses(service.settings.program).config();
    return (await readAccount(readerAt(service, 'confirmed', signal), 'config', address))?.data ?? null;
  });
}

/** Returns the newest finalized slot and its time. Throws the RPC's errors. */
export function finalizedTip(service: Service): Promise<ChainTip> {
  return service.shared('tip', (signal) => readChainTip(service, signal));
}
