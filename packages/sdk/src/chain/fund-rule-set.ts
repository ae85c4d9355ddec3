import { type Address, createNoopSigner, type Signature } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { chainOf } from '../client/chain-rpc.ts';
import { ServiceError } from '../errors.ts';
import { signerOf } from '../wallet/signer.ts';
import type { Wallet } from '../wallet/wallet.ts';
import type { ChainOptions } from './options.ts';
import { fetchRuleSet } from './reads.ts';
import { sendTransaction } from './send.ts';

/** Options of {@link fundRuleSet} (SPEC.md section 2). */
export interface FundRuleSetOptions extends ChainOptions {
  /** The rule set that gets the lamports. */
  readonly rule: Address;
  /** Lamports. */
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
  { deployment, rpc, rule, lamports, signal }: FundRuleSetOptions,
): Promise<{
  /** Of the transaction, base58. */
  readonly signature: Signature;
}> {
  if (typeof lamports !== 'bigint' || lamports <= 0n) {
    throw new ServiceError('INVALID_ARGUMENT', {
      message: 'lamports must be a bigint above zero.',
      context: { field: 'lamports' },
    });
  }
  const signer = signerOf(wallet);
  // SOL sent to a mistyped address is gone.
  if (!(await fetchRuleSet({ deployment, rpc, rule, signal }))) {
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
  const signature = await sendTransaction(chainOf(deployment, rpc), {
    signer,
    instructions: [transfer],
    what: 'Funding the rule set',
    signal,
  });
  return { signature };
}
