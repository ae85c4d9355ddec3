import {
  createTokenAccountInstruction,
  decodeAccount,
  thawByPassInstruction,
  tokenAccountAddress,
} from '@service/protocol';
import type { Address } from '@solana/kit';
import { checkAddresses, invalidArgument } from '../lib/check-arguments.ts';
import { readAdditions } from '../operations/additions/addition-options.ts';
import { accountNotFound } from '../rpc/accounts.ts';
import { signerOf } from '../wallet/signer.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { type ChangedAccount, changeFrozen } from './change-frozen.ts';
import { passRequired, readGateState, readLivePass, usableGate } from './gate-state.ts';
import { type ChainWriteOptions, chainWith } from './options.ts';

/** Options of {@link thawByPass} and of `freezeWithoutPass`. */
export interface GatedAccountOptions extends ChainWriteOptions {
  /** Address of a mint whose gate is the program. */
  readonly mint: Address;
  /** The wallet that owns the token account. @default the wallet itself */
  readonly owner?: Address | undefined;
  /** Address of the token account. @default the associated token account of the owner */
  readonly tokenAccount?: Address | undefined;
}

/**
 * Thaws the token account of a holder of a live pass, through Token ACL (sRFC 37), which asks the program. Creates the
 * associated token account in the same transaction if it does not exist. Any wallet can do this and pays. Resolves when
 * finalized.
 *
 * @throws ServiceError INVALID_ARGUMENT (also for a token account of another mint or owner, or whose owner can change),
 *   GENESIS_HASH_MISMATCH, ACCOUNT_NOT_FOUND, PROTOCOL_PAUSED, GATE_UNUSABLE, PASS_REQUIRED if the owner has no live pass,
 *   WALLET_REJECTED, WALLET_CHANGED_TRANSACTION, RPC_ERROR, TRANSACTION_FAILED
 * @example
 * const { tokenAccount } = await thawByPass(wallet, { deployment, mint });
 */
export async function thawByPass(wallet: Wallet, options: GatedAccountOptions): Promise<ChangedAccount> {
  const signer = signerOf(wallet);
  const chain = chainWith(options, ['mint']);
  const limits = readAdditions(options);
  const { mint, owner = signer.address, signal } = options;
  checkAddresses({ owner });
  const associated = await tokenAccountAddress({ mint, owner });
  const { tokenAccount = associated } = options;
  checkAddresses({ tokenAccount });
  const { program } = chain.deployment;
  const state = await readGateState(chain, mint, tokenAccount, { signal });
  const gate = usableGate(state, 'canThaw');
  const account = decodeAccount(program, 'tokenAccount', state.other)?.data;
  if (!account && tokenAccount !== associated) throw accountNotFound('token account', tokenAccount);
  if (account) checkTokenAccount(account, { mint, owner });
  if (account && !account.immutableOwner) {
    throw invalidArgument(
      'tokenAccount',
      'The owner of the token account can change. Use the associated one.',
    );
  }
  if (account && !account.frozen) return { tokenAccount, signature: null };
  const { rule } = gate;
  if (!(await readLivePass(chain, gate, owner, signal))) throw passRequired(gate, owner);
  const instructions = [
    ...(account ? [] : [await createTokenAccountInstruction({ payer: signer.address, mint, owner })]),
    await thawByPassInstruction(program, { caller: signer.address, mint, tokenAccount, owner, rule }),
  ];
  const what = 'Thawing the token account';
  const transaction = { signer, instructions, limits, what, signal };
  return changeFrozen(chain, { ...transaction, tokenAccount, frozen: false });
}

/** Throws ServiceError INVALID_ARGUMENT unless the token account is of the mint and of the owner. */
export function checkTokenAccount(
  account: { readonly mint: Address; readonly owner: Address },
  { mint, owner }: { readonly mint: Address; readonly owner: Address },
): void {
  if (account.mint === mint && account.owner === owner) return;
  throw invalidArgument(
    'tokenAccount',
    `The token account belongs to ${account.owner} and to the mint ${account.mint}. Pass one of ${owner} and ${mint}.`,
  );
}
