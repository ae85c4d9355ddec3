/** The credential that a wallet has on chain. */
import { type AccountOf, type Found, programAddresses, readAccount } from '@service/protocol';
import type { Address } from '@solana/kit';
import type { Service } from '../../service.ts';

/** A wallet's credential, or null when it has none. */
export type HeldCredential = Found<AccountOf<'credential'>> | null;

/** Reads it from the chain, not the index, at finalized. Throws what the RPC throws. */
export async function readHeldCredential(
  service: Service,
  wallet: Address,
  signal: AbortSignal,
): Promise<HeldCredential> {
  const { program } = service.settings;
  const reader = { rpc: service.rpc, program, commitment: 'finalized', signal } as const;
  return readAccount(reader, 'credential', await programAddresses(program).credential(wallet));
}
