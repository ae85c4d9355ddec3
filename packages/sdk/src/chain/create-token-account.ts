import { createTokenAccountInstruction, tokenAccountAddress } from '@service/protocol';
import type { Address, Signature } from '@solana/kit';
import { chainOf } from '../client/chain-rpc.ts';
import { signerOf } from '../wallet/signer.ts';
import type { Wallet } from '../wallet/wallet.ts';
import type { ChainOptions } from './options.ts';
import { sendTransaction } from './send.ts';

/** Options of {@link createTokenAccount}. Not in SPEC.md: the API does not prepare it. */
export interface CreateTokenAccountOptions extends ChainOptions {
  /** A Token-2022 mint. */
  readonly mint: Address;
  /** @default the wallet itself */
  readonly owner?: Address | undefined;
}

/**
 * Creates the usual token account of an owner (the associated one, whose owner can never change, as the transfer hook
 * wants it) unless it is there; the wallet pays its rent. Resolves when finalized. Not in SPEC.md: the API does not
 * prepare it.
 *
 * @throws ServiceError WALLET_REJECTED, RPC_ERROR, TRANSACTION_FAILED, GENESIS_HASH_MISMATCH
 */
export async function createTokenAccount(
  wallet: Wallet,
  { deployment, rpc, mint, owner, signal }: CreateTokenAccountOptions,
): Promise<{
  /** Base58 address of the token account. */
  readonly tokenAccount: Address;
  /** Of the transaction, base58. */
  readonly signature: Signature;
}> {
  const signer = signerOf(wallet);
  const of = { mint, owner: owner ?? signer.address };
  const signature = await sendTransaction(chainOf(deployment, rpc), {
    signer,
    instructions: [await createTokenAccountInstruction({ payer: signer.address, ...of })],
    what: 'Creating the token account',
    signal,
  });
  return { tokenAccount: await tokenAccountAddress(of), signature };
}
