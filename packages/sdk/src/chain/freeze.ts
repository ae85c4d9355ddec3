import { freezeByAuthorityInstruction, pauseAuthorityOf, TOKEN_2022_PROGRAM } from '@service/protocol';
import { AccountRole, type Address, createNoopSigner, type Instruction } from '@solana/kit';
import { getFreezeAccountInstruction, getThawAccountInstruction } from '@solana-program/token';
import { invalidArgument } from '../lib/check-arguments.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { type MintOptions, type MintState, OTHER_TEMPLATE, otherWallet, readMint } from './bound-mint.ts';
import type { FinalizedTransaction } from './send.ts';

/** Options of {@link freezeAccount} and {@link thawAccount}. */
export interface FreezeOptions extends MintOptions {
  /** Base58 address of a token account of the mint. */
  readonly tokenAccount: Address;
}

/**
 * Freezes a token account of a mint whose freeze authority is the wallet: it can neither send, receive nor burn tokens. If
 * the mint has a gate, this is the authority that Token ACL names, and a holder with a live pass can thaw the account again.
 * So suspend the pass first. Resolves when finalized.
 *
 * @throws ServiceError INVALID_ARGUMENT (also for another wallet than the freeze authority), GENESIS_HASH_MISMATCH,
 *   ACCOUNT_NOT_FOUND, WALLET_REJECTED, WALLET_CHANGED_TRANSACTION, RPC_ERROR, TRANSACTION_FAILED
 * @example
 * await freezeAccount(wallet, { deployment, mint, tokenAccount: source });
 */
export const freezeAccount = (wallet: Wallet, options: FreezeOptions): Promise<FinalizedTransaction> =>
  toggle(wallet, options, 'freeze');

/**
 * Thaws a frozen token account of a mint whose freeze authority is the wallet, as in {@link freezeAccount}. A mint of the
 * template `fund` needs this once for each holder. Resolves when finalized.
 *
 * @throws ServiceError those of {@link freezeAccount}
 * @example
 * await thawAccount(wallet, { deployment, mint, tokenAccount: source });
 */
export const thawAccount = (wallet: Wallet, options: FreezeOptions): Promise<FinalizedTransaction> =>
  toggle(wallet, options, 'thaw');

type Change = 'freeze' | 'thaw';

async function toggle(wallet: Wallet, options: FreezeOptions, change: Change): Promise<FinalizedTransaction> {
  const state = await readMint(wallet, options, { addresses: ['tokenAccount'] });
  return state.send(
    change === 'freeze' ? 'Freezing the token account' : 'Thawing the token account',
    await freezing(state, options.tokenAccount, change),
  );
}

/**
 * Returns the instruction that freezes or thaws a token account. The wallet signs it.
 *
 * @throws ServiceError INVALID_ARGUMENT if nobody or another wallet can do this
 */
export async function freezing(state: MintState, account: Address, change: Change): Promise<Instruction> {
  const { wallet, address, mintConfig } = state;
  const authority = mintConfig ? mintConfig.authority : state.mint.freezeAuthority;
  if (authority === null)
    throw invalidArgument('mint', `The mint has no freeze authority, and cannot get one. ${OTHER_TEMPLATE}`);
  if (authority !== wallet)
    throw otherWallet(`Only ${authority} can ${change} the token account ${account}.`);
  if (mintConfig)
    return freezeByAuthorityInstruction(change, { authority, mint: address, tokenAccount: account });
  const make = change === 'freeze' ? getFreezeAccountInstruction : getThawAccountInstruction;
  const accounts = { account, mint: address, owner: createNoopSigner(wallet) };
  return make(accounts, { programAddress: TOKEN_2022_PROGRAM });
}

/**
 * Pauses a mint whose pause authority is the wallet: nobody can issue, transfer, burn or recover tokens. Resolves when
 * finalized.
 *
 * @throws ServiceError INVALID_ARGUMENT (also for another wallet than the authority), GENESIS_HASH_MISMATCH,
 *   ACCOUNT_NOT_FOUND, WALLET_REJECTED, WALLET_CHANGED_TRANSACTION, RPC_ERROR, TRANSACTION_FAILED
 * @example
 * await pauseMint(wallet, { deployment, mint });
 */
export const pauseMint = (wallet: Wallet, options: MintOptions): Promise<FinalizedTransaction> =>
  setPaused(wallet, options, true);

/**
 * Ends the pause of a mint whose pause authority is the wallet. Resolves when finalized.
 *
 * @throws ServiceError those of {@link pauseMint}
 * @example
 * await resumeMint(wallet, { deployment, mint });
 */
export const resumeMint = (wallet: Wallet, options: MintOptions): Promise<FinalizedTransaction> =>
  setPaused(wallet, options, false);

const PAUSABLE_INSTRUCTION = 44;
const [PAUSE, RESUME] = [1, 2];

async function setPaused(
  wallet: Wallet,
  options: MintOptions,
  paused: boolean,
): Promise<FinalizedTransaction> {
  const state = await readMint(wallet, options);
  const authority = pauseAuthorityOf(state.mint);
  if (authority === null)
    throw invalidArgument('mint', `The mint has no pause authority, and cannot get one. ${OTHER_TEMPLATE}`);
  if (authority !== state.wallet) throw otherWallet(`The pause authority is ${authority}.`);
  return state.send(paused ? 'Pausing the mint' : 'Resuming the mint', {
    programAddress: TOKEN_2022_PROGRAM,
    accounts: [
      { address: state.address, role: AccountRole.WRITABLE },
      { address: state.wallet, role: AccountRole.READONLY_SIGNER },
    ],
    data: Uint8Array.of(PAUSABLE_INSTRUCTION, paused ? PAUSE : RESUME),
  });
}
