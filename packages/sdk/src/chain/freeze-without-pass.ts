import { decodeAccount, freezeWithoutPassInstruction, tokenAccountAddress } from '@service/protocol';
import { ServiceError } from '../errors.ts';
import { checkAddresses } from '../lib/check-arguments.ts';
import { readAdditions } from '../operations/additions/addition-options.ts';
import { accountNotFound } from '../rpc/accounts.ts';
import { signerOf } from '../wallet/signer.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { type ChangedAccount, changeFrozen } from './change-frozen.ts';
import { readGateState, readLivePass, usableGate } from './gate-state.ts';
import { chainWith } from './options.ts';
import { checkTokenAccount, type GatedAccountOptions } from './thaw-by-pass.ts';

/**
 * Freezes the token account of a wallet without a live pass, or an account whose owner can change, through Token ACL
 * (sRFC 37), which asks the program. Any wallet can do this and pays. Until somebody does, the wallet can move its tokens.
 * Resolves when finalized.
 *
 * @throws ServiceError INVALID_ARGUMENT (also for a token account of another mint or owner), GENESIS_HASH_MISMATCH,
 *   ACCOUNT_NOT_FOUND, GATE_UNUSABLE, PASS_LIVE if the owner has a live pass, WALLET_REJECTED, WALLET_CHANGED_TRANSACTION,
 *   RPC_ERROR, TRANSACTION_FAILED
 * @example
 * await freezeWithoutPass(wallet, { deployment, mint, owner: holder.address });
 */
export async function freezeWithoutPass(
  wallet: Wallet,
  options: GatedAccountOptions,
): Promise<ChangedAccount> {
  const signer = signerOf(wallet);
  const chain = chainWith(options, ['mint']);
  const limits = readAdditions(options);
  const { mint, owner = signer.address, signal } = options;
  checkAddresses({ owner });
  const { tokenAccount = await tokenAccountAddress({ mint, owner }) } = options;
  checkAddresses({ tokenAccount });
  const { program } = chain.deployment;
  const state = await readGateState(chain, mint, tokenAccount, { signal, restricts: true });
  const gate = usableGate(state, 'canFreeze');
  const account = decodeAccount(program, 'tokenAccount', state.other)?.data;
  if (!account) throw accountNotFound('token account', tokenAccount);
  checkTokenAccount(account, { mint, owner });
  if (account.frozen) return { tokenAccount, signature: null };
  const { rule } = gate;
  const pass = account.immutableOwner ? await readLivePass(chain, gate, owner, signal) : null;
  if (pass) {
    const { expiresAt } = pass;
    throw new ServiceError('PASS_LIVE', {
      message: `${owner} has a live pass for the rule set ${rule} of this mint. Wait until ${expiresAt} (Unix seconds). Nothing was signed.`,
      context: { expiresAt, closableAt: expiresAt },
    });
  }
  const gated = { caller: signer.address, mint, tokenAccount, owner, rule };
  const instructions = [await freezeWithoutPassInstruction(program, gated)];
  const what = 'Freezing the token account';
  const transaction = { signer, instructions, limits, what, signal };
  return changeFrozen(chain, { ...transaction, tokenAccount, frozen: true });
}
