import { deleteMintConfigInstruction, SYSTEM_PROGRAM, setGateAuthorityInstruction } from '@service/protocol';
import type { Address } from '@solana/kit';
import { checkAddresses, invalidArgument } from '../lib/check-arguments.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { type MintOptions, type MintState, otherWallet, readMint } from './bound-mint.ts';
import type { FinalizedTransaction } from './send.ts';

/** Options of {@link removeGate}. */
export interface RemoveGateOptions extends MintOptions {
  /** Base58 address of the next freeze authority of the mint. It does not sign. @default the wallet */
  readonly freezeAuthority?: Address | undefined;
}

/**
 * Removes the gate of a mint, as the authority at Token ACL: deletes the configuration of Token ACL, and gives the freeze
 * authority back. Token accounts stay frozen or thawed as they are. `setGate` can set a gate again. The wallet gets the rent.
 * Resolves when finalized.
 *
 * @throws ServiceError INVALID_ARGUMENT (also for another wallet than the authority's, and for a mint without a gate),
 *   GENESIS_HASH_MISMATCH, ACCOUNT_NOT_FOUND, WALLET_REJECTED, WALLET_CHANGED_TRANSACTION, RPC_ERROR, TRANSACTION_FAILED
 * @example
 * await removeGate(wallet, { deployment, mint });
 */
export async function removeGate(wallet: Wallet, options: RemoveGateOptions): Promise<FinalizedTransaction> {
  const rest = ({ freezeAuthority }: RemoveGateOptions) =>
    freezeAuthority === undefined || checkOwner('freezeAuthority', freezeAuthority);
  const { address: mint, ...state } = await readAsGateAuthority(wallet, options, rest);
  const { freezeAuthority = state.wallet } = options;
  const instruction = await deleteMintConfigInstruction({ authority: state.wallet, mint, freezeAuthority });
  return state.send('Removing the gate', instruction);
}

/** Options of {@link setGateAuthority}. */
export interface SetGateAuthorityOptions extends MintOptions {
  /** Base58 address of the next authority at Token ACL. */
  readonly authority: Address;
}

/**
 * Gives the gate of a mint to another authority at Token ACL, which can then set it, remove it, and freeze and thaw every
 * token account. **The next authority does not sign, so a wrong address cannot be undone.** Resolves when finalized.
 *
 * @throws ServiceError those of {@link removeGate}
 * @example
 * await setGateAuthority(wallet, { deployment, mint, authority: holder.address });
 */
export async function setGateAuthority(
  wallet: Wallet,
  options: SetGateAuthorityOptions,
): Promise<FinalizedTransaction> {
  const rest = ({ authority }: SetGateAuthorityOptions) => checkOwner('authority', authority);
  const { address: mint, ...state } = await readAsGateAuthority(wallet, options, rest);
  const { authority: next } = options;
  const instruction = await setGateAuthorityInstruction({ authority: state.wallet, mint, next });
  return state.send('Setting the authority of the gate', instruction);
}

/** Throws ServiceError INVALID_ARGUMENT unless the address can be that of a wallet. Nobody can undo what it gets. */
function checkOwner(name: string, address: Address): void {
  checkAddresses({ [name]: address });
  if (address === SYSTEM_PROGRAM)
    throw invalidArgument(name, `Nobody has a key of ${address}. Pass another address.`);
}

/** Reads a gated mint. Throws ServiceError INVALID_ARGUMENT unless the wallet is its authority at Token ACL. */
async function readAsGateAuthority<O extends MintOptions>(
  wallet: Wallet,
  options: O,
  rest: (options: O) => unknown,
): Promise<MintState> {
  const state = await readMint(wallet, options, { rest });
  const { mintConfig, chain } = state;
  if (mintConfig?.gate !== chain.deployment.program)
    throw invalidArgument('mint', 'The program is not the gate of this mint. Call setGate.');
  if (mintConfig.authority === state.wallet) return state;
  throw otherWallet(`The authority of the gate at Token ACL is ${mintConfig.authority}.`);
}
