import { programAddresses, readAccounts } from '@service/protocol';
import { getDiscardCredentialInstruction } from '@service/protocol/generated';
import { type Address, createNoopSigner } from '@solana/kit';
import { ServiceError } from '../errors.ts';
import { checkAddresses } from '../lib/check-arguments.ts';
import { readAdditions } from '../operations/additions/addition-options.ts';
import { accountNotFound, readFinalAccount } from '../rpc/accounts.ts';
import { callRpc, checkGenesisHash, readerOf } from '../rpc/chain.ts';
import { signerOf } from '../wallet/signer.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { type ChainWriteOptions, chainWith } from './options.ts';
import { type FinalizedTransaction, sendTransaction } from './send.ts';

/** The most passes that the program ends in one instruction. */
const MOST_RULES = 20;

/** Options of {@link discardCredential}. */
export interface DiscardCredentialOptions extends ChainWriteOptions {
  /** Addresses of rule sets, at most 20. The wallet's passes for them end in the same transaction. @default none */
  readonly rules?: readonly Address[] | undefined;
}

/**
 * Discards the credential of the wallet, and ends its passes for the given rule sets. The wallet gets the rent of a pass back
 * at once if its last proof is an hour old, and otherwise when somebody closes it. Anyone can close the other passes of the
 * wallet. Any verifier can then issue another credential. The account of the credential stays, so that no earlier credential
 * can return. Resolves when finalized.
 *
 * @throws ServiceError INVALID_ARGUMENT, GENESIS_HASH_MISMATCH, ACCOUNT_NOT_FOUND if the wallet has no credential,
 *   WALLET_REJECTED, WALLET_CHANGED_TRANSACTION, RPC_ERROR, TRANSACTION_FAILED
 * @example
 * await discardCredential(wallet, { deployment, rules: [rule] });
 */
export async function discardCredential(
  wallet: Wallet,
  options: DiscardCredentialOptions,
): Promise<FinalizedTransaction> {
  const signer = signerOf(wallet);
  const chain = chainWith(options, []);
  const limits = readAdditions(options);
  const { rules = [], signal } = options;
  if (!Array.isArray(rules) || rules.length > MOST_RULES) {
    throw new ServiceError('INVALID_ARGUMENT', {
      message: `rules must be an array of at most ${MOST_RULES} addresses. Close other passes with closePass.`,
      context: { field: 'rules' },
    });
  }
  checkAddresses(Object.fromEntries(rules.map((rule, index) => [`rules[${index}]`, rule])));
  await checkGenesisHash(chain, signal);
  const { program } = chain.deployment;
  const at = programAddresses(program);
  const credential = await at.credential(signer.address);
  if (!(await readFinalAccount(chain, 'credential', credential, signal))) {
    throw accountNotFound(`credential of ${signer.address}`, credential);
  }
  const wanted = await Promise.all(
    rules.map(async (rule) => ['pass', await at.pass(rule, signer.address)] as const),
  );
  const passes = await callRpc(chain, 'Reading the passes', signal, (_rpc, options) =>
    readAccounts(readerOf(chain, options), wanted),
  );
  const instruction = getDiscardCredentialInstruction(
    {
      wallet: createNoopSigner(signer.address),
      credential,
      passes: passes.flatMap((pass) => (pass ? [pass.address] : [])),
    },
    { programAddress: program },
  );
  return sendTransaction(chain, {
    signer,
    instructions: [instruction],
    limits,
    what: 'Discarding the credential',
    signal,
  });
}
