import { type Address, createNoopSigner, type Signature } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { ServiceError } from '../errors.ts';
import { invalidArgument } from '../lib/check-arguments.ts';
import { signerOf } from '../wallet/signer.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { type ChainOptions, chainWith } from './options.ts';
import { fetchRuleSet } from './reads.ts';
import { sendTransaction } from './send.ts';

/** Options of {@link fundRuleSet} (SPEC.md section 2). */
export interface FundRuleSetOptions extends ChainOptions {
  /** The rule set that gets the lamports. */
  readonly rule: Address;
  /** Lamports, 1 to 2^64 - 1. */
  readonly lamports: bigint;
}

/**
 * Adds to the pass funds of a rule set, from which pass fees are paid: a plain transfer of SOL to its address, which
 * anyone may make. Resolves when finalized (SPEC.md section 2).
 *
 * @throws ServiceError INVALID_ARGUMENT, ACCOUNT_NOT_FOUND when there is no rule set at the address, WALLET_REJECTED,
 *   RPC_ERROR, TRANSACTION_FAILED, GENESIS_HASH_MISMATCH
 */
export async function fundRuleSet(
  wallet: Wallet,
  options: FundRuleSetOptions,
): Promise<{
  /** Of the transaction, base58. */
  readonly signature: Signature;
}> {
  const signer = signerOf(wallet);
  const chain = chainWith(options, ['rule']);
  const { rule, lamports, signal } = options;
  if (typeof lamports !== 'bigint' || lamports <= 0n || lamports >= 2n ** 64n) {
    throw invalidArgument('lamports', 'lamports must be a bigint above zero and below 2^64.');
  }
  // SOL sent to a mistyped address is gone.
  if (!(await fetchRuleSet(options))) {
    throw new ServiceError('ACCOUNT_NOT_FOUND', {
      message: `There is no rule set of this program at ${rule}, at finalized commitment on your own RPC. Nothing was sent.`,
      context: { address: rule },
    });
  }
  const transfer = getTransferSolInstruction({
    source: createNoopSigner(signer.address),
    destination: rule,
    amount: lamports,
  });
  const signature = await sendTransaction(chain, {
    signer,
    instructions: [transfer],
    what: 'Funding the rule set',
    signal,
  });
  return { signature };
}
