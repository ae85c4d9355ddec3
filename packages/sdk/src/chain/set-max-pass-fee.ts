import { programAddresses } from '@service/protocol';
import { getSetMaxPassFeeInstruction } from '@service/protocol/generated';
import { type Address, createNoopSigner, unwrapOption } from '@solana/kit';
import { invalidArgument } from '../lib/check-arguments.ts';
import { readAdditions } from '../operations/additions/addition-options.ts';
import { accountNotFound, readFinalAccount } from '../rpc/accounts.ts';
import { type Chain, checkGenesisHash } from '../rpc/chain.ts';
import { signerOf } from '../wallet/signer.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { type ChainWriteOptions, chainWith } from './options.ts';
import { ruleSetOfCreator } from './rule-set-of-creator.ts';
import { type FinalizedTransaction, sendTransaction } from './send.ts';

/** Options of {@link setMaxPassFee}. */
export interface SetMaxPassFeeOptions extends ChainWriteOptions {
  /** Address of the rule set. */
  readonly rule: Address;
  /** The highest pass fee that the rule set pays for a proof: lamports, 0 up to the fee that holds or is announced. */
  readonly lamports: bigint;
}

/**
 * Sets the highest pass fee that the pass funds of a rule set pay. A rule set begins with the fee at its creation, so its
 * creator calls this to agree to a higher one. Only the creator can. Your own RPC must show a fee that is as high, so that
 * no service makes you agree to more. Resolves when finalized.
 *
 * @throws ServiceError INVALID_ARGUMENT (also for another wallet than the creator's, and above the fee), GENESIS_HASH_MISMATCH,
 *   ACCOUNT_NOT_FOUND if there is no rule set at the address, WALLET_REJECTED, WALLET_CHANGED_TRANSACTION, RPC_ERROR,
 *   TRANSACTION_FAILED
 * @example
 * const { passFee, nextPassFee } = await client.network();
 * const lamports = nextPassFee?.lamports ?? passFee ?? 0n;
 * await setMaxPassFee(wallet, { deployment, rule, lamports });
 */
export async function setMaxPassFee(
  wallet: Wallet,
  options: SetMaxPassFeeOptions,
): Promise<FinalizedTransaction> {
  const signer = signerOf(wallet);
  const chain = chainWith(options, ['rule']);
  const limits = readAdditions(options);
  const { rule, lamports, signal } = options;
  if (typeof lamports !== 'bigint' || lamports < 0n || lamports >= 2n ** 64n) {
    throw invalidArgument('lamports', 'lamports must be a bigint from zero on and below 2^64.');
  }
  await checkGenesisHash(chain, signal);
  await ruleSetOfCreator(options, signer.address, 'agree to a pass fee');
  const highest = await highestFee(chain, signal);
  if (lamports > highest) {
    throw invalidArgument(
      'lamports',
      `Your own RPC shows a pass fee of at most ${highest} lamports, now or announced. Agree to no more than that.`,
    );
  }
  const instruction = getSetMaxPassFeeInstruction(
    { creator: createNoopSigner(signer.address), ruleSet: rule, lamports },
    { programAddress: chain.deployment.program },
  );
  return sendTransaction(chain, {
    signer,
    instructions: [instruction],
    limits,
    what: 'Setting the limit of the pass fee',
    signal,
  });
}

/** Returns the higher of the pass fee that holds and the one that is announced, in lamports; 0 if there is none. */
async function highestFee(chain: Chain, signal: AbortSignal | undefined): Promise<bigint> {
  const { program } = chain.deployment;
  const address = await programAddresses(program).config();
  const config = await readFinalAccount(chain, 'config', address, signal);
  if (!config) throw accountNotFound('configuration of this program', address);
  const fees = [config.data.passFee, config.data.nextPassFee].map((fee) => unwrapOption(fee) ?? 0n);
  return fees.reduce((one, other) => (one > other ? one : other));
}
