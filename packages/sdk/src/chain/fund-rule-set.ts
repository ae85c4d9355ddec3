import { type Address, createNoopSigner } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { invalidArgument } from '../lib/check-arguments.ts';
import { readAdditions } from '../operations/additions/addition-options.ts';
import { accountNotFound } from '../rpc/accounts.ts';
import { checkGenesisHash } from '../rpc/chain.ts';
import { signerOf } from '../wallet/signer.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { type ChainWriteOptions, chainWith } from './options.ts';
import { fetchRuleSet } from './reads.ts';
import { type FinalizedTransaction, sendTransaction } from './send.ts';

/** Options of {@link fundRuleSet} (SPEC.md section 2). */
export interface FundRuleSetOptions extends ChainWriteOptions {
  /** Address of the rule set. */
  readonly rule: Address;
  /** Lamports, 1 to 2^64 - 1. */
  readonly lamports: bigint;
}

/**
 * Adds to the pass funds of a rule set, which pay its pass fees. Any wallet can do this: it is a transfer of SOL to the
 * rule set. Resolves when finalized (SPEC.md section 2).
 *
 * @throws ServiceError INVALID_ARGUMENT, GENESIS_HASH_MISMATCH, ACCOUNT_NOT_FOUND if there is no rule set at the address,
 *   WALLET_REJECTED, WALLET_CHANGED_TRANSACTION, RPC_ERROR, TRANSACTION_FAILED
 */
export async function fundRuleSet(
  wallet: Wallet,
  options: FundRuleSetOptions,
): Promise<FinalizedTransaction> {
  const signer = signerOf(wallet);
  const chain = chainWith(options, ['rule']);
  const limits = readAdditions(options);
  const { rule, lamports, signal } = options;
  if (typeof lamports !== 'bigint' || lamports <= 0n || lamports >= 2n ** 64n) {
    throw invalidArgument('lamports', 'lamports must be a bigint above zero and below 2^64.');
  }
  // On another cluster the rule set is missing for another reason.
  await checkGenesisHash(chain, signal);
  // SOL that is sent to a wrong address is lost.
  if (!(await fetchRuleSet(options))) throw accountNotFound('rule set of this program', rule);
  const transfer = getTransferSolInstruction({
    source: createNoopSigner(signer.address),
    destination: rule,
    amount: lamports,
  });
  return sendTransaction(chain, {
    signer,
    instructions: [transfer],
    limits,
    what: 'Funding the rule set',
    signal,
  });
}
