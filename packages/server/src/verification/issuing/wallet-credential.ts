/** Reads the credential that a wallet has on chain. */
import { type AccountOf, type Found, programAddresses, readAccount } from '@service/protocol';
import type { Address } from '@solana/kit';
import { readerAt } from '../../chain-head/index.ts';
import type { Service } from '../../service.ts';

/** A wallet's credential on chain, or null if it has none. */
export type WalletCredential = Found<AccountOf<'credential'>> | null;

/** Reads a wallet's credential from the chain, not the index. Throws the RPC's errors. */
export async function readWalletCredential(
  service: Service,
  wallet: Address,
  signal: AbortSignal,
  commitment: 'finalized' | 'confirmed' = 'finalized',
): Promise<WalletCredential> {
  const address = await programAddresses(service.settings.program).credential(wallet);
  return readAccount(readerAt(service, commitment, signal), 'credential', address);
}
