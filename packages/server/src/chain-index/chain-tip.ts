/** The chain tip at finalized: slot and time from one account, the Clock sysvar. */
import { CLOCK_SYSVAR } from '@service/protocol';
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
  service: Pick<Service, 'rpc'>,
  signal: AbortSignal,
  commitment: Commitment = 'finalized',
): Promise<ChainTip> {
  const [account] = await fetchEncodedAccounts(service.rpc, [CLOCK_SYSVAR], {
    commitment,
    abortSignal: signal,
  });
  if (!account?.exists) throw new Error('The RPC has no Clock sysvar. Set RPC_URL to a Solana RPC.');
  const { slot, unixTimestamp } = getSysvarClockDecoder().decode(account.data);
  return { slot, time: unixTimestamp };
}
