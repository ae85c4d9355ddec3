/** Thaws or freezes a token account. Another wallet, such as that of a keeper, may do the same at the same time. */
import { decodeAccount } from '@service/protocol';
import type { Address, Commitment, Signature } from '@solana/kit';
import { isServiceError } from '../errors.ts';
import { backoff, pause } from '../lib/clock.ts';
import { readTogether } from '../rpc/accounts.ts';
import type { Chain } from '../rpc/chain.ts';
import { type ChainTransaction, sendTransaction } from './send.ts';

/** The token account, and the transaction that changed it. */
export interface ChangedAccount {
  /** Base58 address of the token account. */
  readonly tokenAccount: Address;
  /**
   * Signature of the transaction, base58; null if the account already had the wanted state, or if another wallet changed it
   * first.
   */
  readonly signature: Signature | null;
}

/** The wanted state of a token account, and the transaction that sets it. */
interface FrozenChange extends ChainTransaction {
  readonly tokenAccount: Address;
  readonly frozen: boolean;
}

/** Milliseconds for which a change by another wallet may need to become final. */
const MOST_WAIT_MS = 60_000;

/**
 * Sends a transaction that thaws or freezes a token account. If it fails because another wallet did so first, waits until
 * that change is final.
 *
 * @throws ServiceError as `sendTransaction`
 */
export async function changeFrozen(chain: Chain, change: FrozenChange): Promise<ChangedAccount> {
  const { tokenAccount } = change;
  try {
    const { signature } = await sendTransaction(chain, change);
    return { tokenAccount, signature };
  } catch (error) {
    const isFinal = isServiceError(error, 'TRANSACTION_FAILED') && error.context.isFinal;
    if (isFinal && (await isChanged(chain, change))) return { tokenAccount, signature: null };
    throw error;
  }
}

/** Returns whether the account has the wanted state. Waits until that is final, because the preflight sees newer blocks. */
async function isChanged(chain: Chain, change: FrozenChange): Promise<boolean> {
  if (!(await hasWantedState(chain, change, 'confirmed'))) return false;
  const { clock } = chain;
  const deadline = clock.elapsed() + MOST_WAIT_MS;
  for (const delay of backoff({ firstMs: 200, mostMs: 1_500 })) {
    if (await hasWantedState(chain, change, 'finalized')) return true;
    if (change.signal?.aborted || clock.elapsed() > deadline) return false;
    await pause(clock, delay, undefined, change.what);
  }
  return false;
}

/** Returns false also if the RPC fails. */
async function hasWantedState(
  chain: Chain,
  { tokenAccount, frozen, signal }: FrozenChange,
  commitment: Commitment,
): Promise<boolean> {
  const { program } = chain.deployment;
  const reading = { what: 'Reading the token account', commitment, signal };
  return readTogether(
    chain,
    [tokenAccount],
    reading,
    ([account]) => decodeAccount(program, 'tokenAccount', account!)?.data.frozen === frozen,
  ).catch(() => false);
}
