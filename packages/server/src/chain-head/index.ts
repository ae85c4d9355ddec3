/**
 * Facts about the newest blocks. All requests within `settings.sharedReadMs` share one read of each, so that requests do not
 * multiply RPC calls. The chain checks each transaction again, so a fact may be that old.
 */
import { type AccountOf, type ChainReader, programAddresses, readAccount } from '@service/protocol';
import type { Commitment } from '@solana/kit';
import { type ChainTip, readChainTip } from '../chain-index/chain-tip.ts';
import type { Service } from '../service.ts';

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

/** Returns a reader of the chain at a commitment. */
export function readerAt(
  { rpc, settings }: Pick<Service, 'rpc' | 'settings'>,
  commitment: Commitment,
  signal: AbortSignal,
): ChainReader {
  return { rpc, program: settings.program, commitment, signal };
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
