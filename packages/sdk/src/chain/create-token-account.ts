import { createTokenAccountInstruction, readAccounts, tokenAccountAddress } from '@service/protocol';
import type { Address, Signature } from '@solana/kit';
import { ServiceError } from '../errors.ts';
import { checkAddresses } from '../lib/check-arguments.ts';
import { callRpc, readerOf } from '../rpc/chain-rpc.ts';
import { signerOf } from '../wallet/signer.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { type ChainOptions, chainWith } from './options.ts';
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
 * @throws ServiceError INVALID_ARGUMENT, ACCOUNT_NOT_FOUND when there is no such mint, WALLET_REJECTED, RPC_ERROR, TRANSACTION_FAILED, GENESIS_HASH_MISMATCH
 */
export async function createTokenAccount(
  wallet: Wallet,
  options: CreateTokenAccountOptions,
): Promise<{
  /** Base58 address of the token account. */
  readonly tokenAccount: Address;
  /** Of the transaction, base58; null where the account was there already, and nothing was signed. */
  readonly signature: Signature | null;
}> {
  const signer = signerOf(wallet);
  const chain = chainWith(options, ['mint']);
  const { mint, owner = signer.address, signal } = options;
  checkAddresses({ owner });
  const of = { mint, owner };
  const tokenAccount = await tokenAccountAddress(of);
  const [foundMint, found] = await callRpc('Reading the mint', signal, () =>
    readAccounts(readerOf(chain, signal), [
      ['mint', mint],
      ['tokenAccount', tokenAccount],
    ]),
  );
  if (!foundMint) {
    throw new ServiceError('ACCOUNT_NOT_FOUND', {
      message: `There is no Token-2022 mint at ${mint}, at finalized commitment on your own RPC. Nothing was sent.`,
      context: { address: mint },
    });
  }
  if (found) return { tokenAccount, signature: null };
  const signature = await sendTransaction(chain, {
    signer,
    instructions: [await createTokenAccountInstruction({ payer: signer.address, ...of })],
    what: 'Creating the token account',
    signal,
  });
  return { tokenAccount, signature };
}
