import { NEVER, passClosableAt, programAddresses, readAccounts } from '@service/protocol';
import { getClosePassInstruction } from '@service/protocol/generated';
import type { Address } from '@solana/kit';
import { ServiceError } from '../errors.ts';
import { checkAddresses } from '../lib/check-arguments.ts';
import { readAdditions } from '../operations/additions/addition-options.ts';
import { accountNotFound, readChainTime, readFinalAccount } from '../rpc/accounts.ts';
import { callRpc, checkGenesisHash, readerOf } from '../rpc/chain.ts';
import { signerOf } from '../wallet/signer.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { type ChainWriteOptions, chainWith } from './options.ts';
import { type FinalizedTransaction, sendTransaction } from './send.ts';

/** Options of {@link closePass}. */
export interface ClosePassOptions extends ChainWriteOptions {
  /** Address of the rule set that the pass is for. */
  readonly rule: Address;
  /** The wallet that holds the pass. @default the wallet itself */
  readonly holder?: Address | undefined;
}

/**
 * Closes a pass that has expired and could be renewed. Also ends an invalid pass: its credential was revoked or
 * replaced, its verifier is inactive, its circuit is unsound, or governance ended it. Any wallet can do this and pays the
 * network fee. The holder gets the rent. If the last proof was less than an hour ago, an invalid pass expires at once, but its account
 * and rent stay until a second call after that hour. Resolves when finalized.
 *
 * @throws ServiceError INVALID_ARGUMENT, GENESIS_HASH_MISMATCH, ACCOUNT_NOT_FOUND if the pass does not exist, PASS_LIVE
 *   with the time from which it can be closed, WALLET_REJECTED, WALLET_CHANGED_TRANSACTION, RPC_ERROR, TRANSACTION_FAILED
 * @example
 * await closePass(wallet, { deployment, rule });
 */
export async function closePass(wallet: Wallet, options: ClosePassOptions): Promise<FinalizedTransaction> {
  const signer = signerOf(wallet);
  const chain = chainWith(options, ['rule']);
  const limits = readAdditions(options);
  const { rule, holder, signal } = options;
  const owner = holder ?? signer.address;
  checkAddresses({ holder: owner });
  await checkGenesisHash(chain, signal);
  const { program } = chain.deployment;
  const at = programAddresses(program);
  const address = await at.pass(rule, owner);
  const found = await readFinalAccount(chain, 'pass', address, signal);
  if (!found) throw accountNotFound(`pass of ${owner} for the rule set ${rule}`, address);
  const pass = found.data;
  const [credentialAddress, configAddress] = await Promise.all([at.credential(owner), at.config()]);
  const [[ruleSet, credential, verifier, circuit, config], chainTime] = await Promise.all([
    callRpc(chain, 'Reading what the pass depends on', signal, (_rpc, options) =>
      readAccounts(readerOf(chain, options), [
        ['ruleSet', rule],
        ['credential', credentialAddress],
        ['verifier', pass.verifier],
        ['circuit', pass.circuit],
        ['config', configAddress],
      ]),
    ),
    readChainTime(chain, signal),
  ]);
  const reasons = {
    ruleSet: ruleSet?.data,
    credential: credential?.data,
    verifier: verifier?.data,
    circuit: circuit?.data,
    config,
  };
  const closableAt = passClosableAt(pass, reasons, chainTime);
  if (chainTime < closableAt) {
    const remedy =
      closableAt === NEVER
        ? 'The creator of the rule set granted or suspended it: ask them.'
        : `Wait until ${closableAt} (Unix seconds; the chain time is ${chainTime}).`;
    throw new ServiceError('PASS_LIVE', {
      message: `The pass of ${owner} is live, or its account must stay for a while. ${remedy} Nothing was sent.`,
      context: { expiresAt: pass.expiresAt, closableAt },
    });
  }
  const instruction = getClosePassInstruction(
    {
      pass: address,
      wallet: owner,
      ruleSet: rule,
      credential: credentialAddress,
      verifier: pass.verifier,
      circuit: pass.circuit,
      config: configAddress,
    },
    { programAddress: program },
  );
  return sendTransaction(chain, {
    signer,
    instructions: [instruction],
    limits,
    what: 'Closing the pass',
    signal,
  });
}
