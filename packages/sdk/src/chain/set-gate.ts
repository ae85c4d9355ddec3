import {
  createMintConfigInstruction,
  decodeAccount,
  setGateInstruction,
  setGatingProgramInstruction,
  togglePermissionlessInstruction,
} from '@service/protocol';
import type { Address } from '@solana/kit';
import { invalidArgument } from '../lib/check-arguments.ts';
import { readAdditions } from '../operations/additions/addition-options.ts';
import { accountNotFound } from '../rpc/accounts.ts';
import { signerOf } from '../wallet/signer.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { type GateState, gateUnusable, readGateState } from './gate-state.ts';
import { type ChainWriteOptions, chainWith } from './options.ts';
import { type FinalizedTransaction, sendTransaction } from './send.ts';

/** Options of {@link setGate}. */
export interface SetGateOptions extends ChainWriteOptions {
  /** Address of a Token-2022 mint whose new token accounts are frozen. It needs no binding and no transfer hook. */
  readonly mint: Address;
  /** Address of the rule set whose passes count. */
  readonly rule: Address;
  /**
   * Whether passes count that the creator of the rule set granted without a proof.
   *
   * @default as it is, and false if the mint has no gate yet
   */
  readonly honoursGranted?: boolean | undefined;
  /**
   * Whether anyone can freeze the token account of a wallet without a live pass. If the mint has holders already, set it to
   * false with a new gate or rule set. When the holders have proved, and pools and custodians have granted passes, set it to
   * true. `fetchGatedAccounts` lists whose account would be frozen.
   *
   * @default as it is; true for a new gate of a mint without tokens; required if others could freeze the holders of a mint
   *   with tokens before they can prove
   */
  readonly anyoneFreezes?: boolean | undefined;
}

/**
 * Makes the program the gate of a mint, in one transaction, or changes the rule set of the gate. The wallet must be the freeze
 * authority of the mint, which it gives to Token ACL (sRFC 37), or the authority that Token ACL has for the mint. From then on
 * holders of passes thaw their own token accounts with {@link thawByPass}. Resolves when finalized.
 *
 * **A gate is weaker than the transfer hook of a bound mint.** A holder whose pass ends can move tokens until somebody calls
 * {@link freezeWithoutPass}. The authority can freeze and thaw any account, name another gate, or remove Token ACL.
 *
 * @throws ServiceError INVALID_ARGUMENT (also for another wallet than the authority's), GENESIS_HASH_MISMATCH, ACCOUNT_NOT_FOUND
 *   if there is no mint or no rule set, PROTOCOL_PAUSED, GATE_UNUSABLE if the mint or the cluster cannot have a gate, WALLET_REJECTED,
 *   WALLET_CHANGED_TRANSACTION, RPC_ERROR, TRANSACTION_FAILED
 * @example
 * await setGate(wallet, { deployment, mint, rule, anyoneFreezes: false });
 */
export async function setGate(wallet: Wallet, options: SetGateOptions): Promise<FinalizedTransaction> {
  const signer = signerOf(wallet);
  const chain = chainWith(options, ['mint', 'rule']);
  const limits = readAdditions(options);
  const { mint, rule, honoursGranted, anyoneFreezes, signal } = options;
  for (const [field, value] of Object.entries({ honoursGranted, anyoneFreezes })) {
    if (value !== undefined && typeof value !== 'boolean')
      throw invalidArgument(field, `${field} must be true or false.`);
  }
  const { program } = chain.deployment;
  const state = await readGateState(chain, mint, rule, { signal });
  if (!decodeAccount(program, 'ruleSet', state.other))
    throw accountNotFound('rule set of this program', rule);
  checkAuthority(state, signer.address);
  if (!state.mint.isFrozenByDefault) {
    throw gateUnusable(
      state.mint.hasDefaultState
        ? 'New token accounts of this mint are not frozen. Set its default account state to frozen first.'
        : 'This mint has no default account state, which cannot be added. Create a mint with the extension.',
    );
  }
  const { mintConfig, gate } = state;
  const honours = honoursGranted ?? gate?.honoursGranted ?? false;
  const canFreeze = anyoneFreezes ?? freezesByDefault(state, rule);
  const of = { authority: signer.address, mint };
  const instructions = [await setGateInstruction(program, { ...of, rule, honoursGranted: honours })];
  if (!mintConfig) instructions.unshift(await createMintConfigInstruction({ ...of, gate: program }));
  else if (mintConfig.gate !== program)
    instructions.push(await setGatingProgramInstruction({ ...of, gate: program }));
  if (!mintConfig?.canThaw || mintConfig.canFreeze !== canFreeze)
    instructions.push(await togglePermissionlessInstruction({ ...of, canThaw: true, canFreeze }));
  return sendTransaction(chain, { signer, instructions, limits, what: 'Setting the gate', signal });
}

/**
 * Returns whether anyone can freeze, if the caller does not say.
 *
 * @throws ServiceError INVALID_ARGUMENT if others could freeze holders who have had no time to prove the rule set
 */
function freezesByDefault({ mint, mintConfig, gate }: GateState, rule: Address): boolean {
  const before = mintConfig?.canFreeze;
  const isSame = gate?.rule === rule;
  if (isSame || before === false || mint.supply === 0n) return before ?? true;
  throw invalidArgument(
    'anyoneFreezes',
    'The mint has tokens, and anyone could freeze holders before they prove the rule set. Pass anyoneFreezes: false first, and true when they have proved. Nothing was signed.',
  );
}

/** Throws ServiceError INVALID_ARGUMENT unless the wallet may set the gate. */
function checkAuthority({ mint, mintConfig }: GateState, wallet: Address): void {
  const authority = mintConfig ? mintConfig.authority : mint.freezeAuthority;
  if (authority === wallet) return;
  const whose = mintConfig ? 'authority at Token ACL' : 'freeze authority';
  throw invalidArgument(
    'wallet',
    authority
      ? `Only the ${whose}, ${authority}, can set the gate of this mint. Use its wallet.`
      : 'The mint has no freeze authority, so it cannot have a gate. Create another mint.',
  );
}
