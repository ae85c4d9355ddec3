import { createTokenAccountInstruction, readAccounts, tokenAccountAddress } from '@service/protocol';
import type { Address, Signature } from '@solana/kit';
import { checkAddresses } from '../lib/check-arguments.ts';
import { readAdditions } from '../operations/additions/addition-options.ts';
import { accountNotFound } from '../rpc/accounts.ts';
import { callRpc, readerOf } from '../rpc/chain.ts';
import { signerOf } from '../wallet/signer.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { type ChainWriteOptions, chainWith } from './options.ts';
import { sendTransaction } from './send.ts';

/** Options of {@link createTokenAccount}. */
export interface CreateTokenAccountOptions extends ChainWriteOptions {
  /** Address of a Token-2022 mint. */
  readonly mint: Address;
  /** The wallet that will own the account. @default the wallet itself */
  readonly owner?: Address | undefined;
}

/**
 * Creates the associated token account of an owner, unless it exists. Its owner can never change, which the transfer
 * hook requires. The wallet pays the rent. Resolves when finalized.
 *
 * @throws ServiceError INVALID_ARGUMENT, ACCOUNT_NOT_FOUND if the mint does not exist, WALLET_REJECTED,
 *   WALLET_CHANGED_TRANSACTION, RPC_ERROR, TRANSACTION_FAILED, GENESIS_HASH_MISMATCH
 */
export async function createTokenAccount(
  wallet: Wallet,
  options: CreateTokenAccountOptions,
): Promise<{
  /** Base58 address of the token account. */
  readonly tokenAccount: Address;
  /** Signature of the transaction, base58; null if the account existed already and nothing was signed. */
  readonly signature: Signature | null;
}> {
  const signer = signerOf(wallet);
  const chain = chainWith(options, ['mint']);
  const limits = readAdditions(options);
  const { mint, owner = signer.address, signal } = options;
  checkAddresses({ owner });
  const tokenAccount = await tokenAccountAddress({ mint, owner });
  const [foundMint, found] = await callRpc(chain, 'Reading the mint', signal, (_rpc, options) =>
    readAccounts(readerOf(chain, options), [
      ['mint', mint],
      ['tokenAccount', tokenAccount],
    ]),
  );
  if (!foundMint) throw accountNotFound('Token-2022 mint', mint);
  if (found) return { tokenAccount, signature: null };
  const { signature } = await sendTransaction(chain, {
    signer,
    instructions: [await createTokenAccountInstruction({ payer: signer.address, mint, owner })],
    limits,
    what: 'Creating the token account',
    signal,
  });
  return { tokenAccount, signature };
}
