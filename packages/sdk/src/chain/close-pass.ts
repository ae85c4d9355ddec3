import { hexOf, programAddresses, readAccount, readAccounts } from '@service/protocol';
import { getClosePassInstruction } from '@service/protocol/generated';
import type { Address, Signature } from '@solana/kit';
import { ServiceError } from '../errors.ts';
import { checkAddresses } from '../lib/check-arguments.ts';
import { callRpc, readerOf } from '../rpc/chain-rpc.ts';
import { readChainTime } from '../rpc/pass-life.ts';
import { signerOf } from '../wallet/signer.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { type ChainOptions, chainWith } from './options.ts';
import { sendTransaction } from './send.ts';

/** Options of {@link closePass}. Not in SPEC.md: the API does not prepare it. */
export interface ClosePassOptions extends ChainOptions {
  /** Address of the rule set that the pass is for. */
  readonly rule: Address;
  /** The wallet that holds the pass. @default the wallet itself */
  readonly holder?: Address | undefined;
}

/**
 * Closes a pass that has expired and could be renewed, or whose ground is gone (credential revoked or replaced,
 * verifier switched off, circuit unsound). Anyone may, and pays the network fee; the holder gets the rent. Resolves
 * when finalized. Not in SPEC.md: the API does not prepare it.
 *
 * @throws ServiceError ACCOUNT_NOT_FOUND when there is no such pass, PASS_LIVE with the time from which it can be closed,
 *   WALLET_REJECTED, WALLET_CHANGED_TRANSACTION, RPC_ERROR, TRANSACTION_FAILED, GENESIS_HASH_MISMATCH
 * @example
 * await closePass(wallet, { deployment, rule });
 */
export async function closePass(
  wallet: Wallet,
  options: ClosePassOptions,
): Promise<{
  /** Of the transaction, base58. */
  readonly signature: Signature;
}> {
  const signer = signerOf(wallet);
  const chain = chainWith(options, ['rule']);
  const { rule, holder, signal } = options;
  const owner = holder ?? signer.address;
  checkAddresses({ holder: owner });
  const { program } = chain.deployment;
  const at = programAddresses(program);
  const reader = readerOf(chain, signal);
  const address = await at.pass(rule, owner);
  const found = await callRpc('Reading the pass', signal, () => readAccount(reader, 'pass', address));
  if (!found) {
    throw new ServiceError('ACCOUNT_NOT_FOUND', {
      message: `The wallet ${owner} has no pass for the rule set ${rule}, at finalized commitment on your own RPC. Nothing was sent.`,
      context: { address },
    });
  }
  const pass = found.data;
  const credentialAddress = await at.credential(owner);
  const [[ruleSet, credential, verifier, circuit], chainTime] = await Promise.all([
    callRpc('Reading what the pass rests on', signal, () =>
      readAccounts(reader, [
        ['ruleSet', rule],
        ['credential', credentialAddress],
        ['verifier', pass.verifier],
        ['circuit', pass.circuit],
      ]),
    ),
    readChainTime(chain, signal),
  ]);
  const renewableAt = pass.issuedAt + (ruleSet?.data.maxPassAgeSeconds ?? 0n) / 2n;
  const closableAt = pass.expiresAt > renewableAt ? pass.expiresAt : renewableAt;
  const isGroundGone =
    credential?.data.revoked ||
    (credential &&
      (hexOf(credential.data.commitment) !== hexOf(pass.commitment) ||
        credential.data.verifier !== pass.verifier ||
        credential.data.expiresAt < pass.expiresAt)) ||
    verifier?.data.active === false ||
    circuit?.data.unsound;
  if (!isGroundGone && chainTime < closableAt) {
    throw new ServiceError('PASS_LIVE', {
      message: `The pass of ${owner} cannot be closed before ${closableAt} (Unix seconds; the chain's time is ${chainTime}), when it has expired and could be renewed. Nothing was sent.`,
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
    },
    { programAddress: program },
  );
  const signature = await sendTransaction(chain, {
    signer,
    instructions: [instruction],
    what: 'Closing the pass',
    signal,
  });
  return { signature };
}
