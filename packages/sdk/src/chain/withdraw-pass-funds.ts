import { getWithdrawPassFundsInstruction } from '@service/protocol/generated';
import { type Address, createNoopSigner } from '@solana/kit';
import { checkAddresses, invalidArgument } from '../lib/check-arguments.ts';
import { readAdditions } from '../operations/additions/addition-options.ts';
import { readFinalAccounts } from '../rpc/accounts.ts';
import { type Chain, callRpc, checkGenesisHash } from '../rpc/chain.ts';
import { signerOf } from '../wallet/signer.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { type ChainWriteOptions, chainWith } from './options.ts';
import { ruleSetOfCreator } from './rule-set-of-creator.ts';
import { type FinalizedTransaction, sendTransaction } from './send.ts';

/** Options of {@link withdrawPassFunds} (SPEC.md section 2). */
export interface WithdrawPassFundsOptions extends ChainWriteOptions {
  /** Address of the rule set. */
  readonly rule: Address;
  /** Lamports, from 1 to the pass funds. */
  readonly lamports: bigint;
  /** Address that receives the lamports. @default the wallet */
  readonly recipient?: Address | undefined;
}

/**
 * Withdraws pass funds of a rule set. Only its creator can do this, also while the protocol is paused. Without funds, nobody
 * gets or renews a pass. Resolves when finalized (SPEC.md section 2).
 *
 * @throws ServiceError INVALID_ARGUMENT (also for another wallet than the creator's, for more than the funds, and if a new
 *   recipient would have less than its rent), GENESIS_HASH_MISMATCH, ACCOUNT_NOT_FOUND if there is no rule set at the address,
 *   WALLET_REJECTED, WALLET_CHANGED_TRANSACTION, RPC_ERROR, TRANSACTION_FAILED
 * @example
 * const { passFunds } = (await fetchRuleSet({ deployment, rule }))!;
 * await withdrawPassFunds(wallet, { deployment, rule, lamports: passFunds });
 */
export async function withdrawPassFunds(
  wallet: Wallet,
  options: WithdrawPassFundsOptions,
): Promise<FinalizedTransaction> {
  const signer = signerOf(wallet);
  const chain = chainWith(options, ['rule']);
  const limits = readAdditions(options);
  const { rule, lamports, recipient = signer.address, signal } = options;
  checkAddresses({ recipient });
  if (typeof lamports !== 'bigint' || lamports <= 0n || lamports >= 2n ** 64n) {
    throw invalidArgument('lamports', 'lamports must be a bigint above zero and below 2^64.');
  }
  if (recipient === rule) throw invalidArgument('recipient', 'recipient must not be the rule set itself.');
  await checkGenesisHash(chain, signal);
  const found = await ruleSetOfCreator(options, signer.address, 'withdraw pass funds');
  if (lamports > found.passFunds) {
    throw invalidArgument(
      'lamports',
      `The pass funds are ${found.passFunds} lamports. Withdraw at most that. Nothing was signed.`,
    );
  }
  await checkRecipient(chain, { recipient, lamports, signal });
  const instruction = getWithdrawPassFundsInstruction(
    { creator: createNoopSigner(signer.address), ruleSet: rule, recipient, lamports },
    { programAddress: chain.deployment.program },
  );
  return sendTransaction(chain, {
    signer,
    instructions: [instruction],
    limits,
    what: 'Withdrawing pass funds',
    signal,
  });
}

/** The network rejects a transfer that leaves a new account below its rent. */
async function checkRecipient(
  chain: Chain,
  {
    recipient,
    lamports,
    signal,
  }: {
    readonly recipient: Address;
    readonly lamports: bigint;
    readonly signal: AbortSignal | undefined;
  },
): Promise<void> {
  const [account] = await readFinalAccounts(chain, [recipient], { what: 'Reading the recipient', signal });
  if (account?.exists) return;
  const rent = await callRpc(chain, 'Reading the rent of the recipient', signal, (rpc, call) =>
    rpc.getMinimumBalanceForRentExemption(0n).send(call),
  );
  if (lamports >= rent) return;
  throw invalidArgument(
    'lamports',
    `The recipient does not exist yet. Withdraw at least ${rent} lamports, its rent. Nothing was signed.`,
  );
}
