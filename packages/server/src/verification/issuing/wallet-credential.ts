/** Reads the credential that a wallet has on chain. */
import { type AccountOf, type Found, programAddresses, readAccount } from '@service/protocol';
import type { Address } from '@solana/kit';
import type { Service } from '../../service.ts';

/** A wallet's credential on chain, or null if it has none. */
export type WalletCredential = Found<AccountOf<'credential'>> | null;

/** Reads a wallet's credential from the chain, not the index, at finalized. Throws the RPC's errors. */
export async function readWalletCredential(
  service: Service,
  wallet: Address,
  signal: AbortSignal,
): Promise<WalletCredential> {
  const { program } = service.settings;
  const reader = { rpc: service.rpc, program, commitment: 'finalized', signal } as const;
  return readAccount(reader, 'credential', await programAddresses(program).credential(wallet));
}
