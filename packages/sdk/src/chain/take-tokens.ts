import { REMOVAL_REASONS, type RemovalReason } from '@service/contract/removal-reasons';
import { recoverInstruction, redeemInstruction } from '@service/protocol';
import type { Address, Instruction } from '@solana/kit';
import { invalidArgument } from '../lib/check-arguments.ts';
import { checkReceiver } from '../preflight/check-receiver.ts';
import { accountNotFound, readFinalAccount } from '../rpc/accounts.ts';
import { U64_MAX } from '../rpc/amount.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { type BoundMintState, type MintOptions, readAsTaker } from './bound-mint.ts';
import { freezing } from './freeze.ts';
import type { FinalizedTransaction } from './send.ts';

/** Options of {@link redeem}. */
export interface RedeemOptions extends MintOptions {
  /** Base58 address of the token account that the tokens are taken from. Its owner does not sign. */
  readonly source: Address;
  /** Base units, 1 to 2^64 - 1. */
  readonly amount: bigint;
  /** Why. The chain records it, and everybody can see it. */
  readonly reason: RemovalReason;
}

/** Options of {@link recover}. */
export interface RecoverOptions extends RedeemOptions {
  /** Base58 address of the token account that receives the same amount. Its owner needs a live pass. */
  readonly destination: Address;
}

/**
 * Moves tokens from one token account to another one, as the issuer and without the signature of the owner: for a holder
 * who lost a key, or by order of a court. Only a mint of the templates `security` and `fund` has this power. Resolves when
 * finalized.
 *
 * Call `client.recover` for a source that is not frozen: its operation has an id, a record and a receipt. The service cannot
 * prepare what a frozen source needs. This call thaws it, takes the tokens and freezes it again in one transaction, if the
 * wallet is the freeze authority.
 *
 * @throws ServiceError INVALID_ARGUMENT (also for another wallet than the issuer's, for a mint without this power, and for a
 *   destination that is frozen, of another mint, or whose owner can change), GENESIS_HASH_MISMATCH, ACCOUNT_NOT_FOUND,
 *   PASS_REQUIRED, PASS_SUSPENDED and CREDENTIAL_REQUIRED for the owner of the destination, PROTOCOL_PAUSED, MINT_PAUSED,
 *   WALLET_REJECTED, WALLET_CHANGED_TRANSACTION, RPC_ERROR, TRANSACTION_FAILED
 * @example
 * await recover(wallet, { deployment, mint, source, destination, amount: 500n, reason: 'lost-key' });
 */
export async function recover(wallet: Wallet, options: RecoverOptions): Promise<FinalizedTransaction> {
  const check = { addresses: ['source', 'destination'], rest: checkOrder } as const;
  const state = await readAsTaker(wallet, options, check);
  const { mint, source, destination, amount, reason, signal } = options;
  const { chain, wallet: issuer } = state;
  const issue = { chain, issuer, mint, signal };
  const facts = await checkReceiver(issue, { destination, amount });
  const intent = { kind: 'RECOVER', wallet: issuer, mint, source, destination, amount, reason } as const;
  const instruction = await recoverInstruction(chain.deployment.program, intent, facts);
  return state.send('Recovering tokens', ...(await thawedFor(state, options, instruction)));
}

/**
 * Burns tokens of a token account, as the issuer and without the signature of the owner. Only a mint of the templates `security` and `fund`
 * has this power. Call `client.redeem` for a source that is not frozen. This call also takes from a frozen one, as
 * {@link recover} does. Resolves when finalized.
 *
 * @throws ServiceError those of {@link recover}, except those of the destination
 * @example
 * await redeem(wallet, { deployment, mint, source, amount: 500n, reason: 'redemption' });
 */
export async function redeem(wallet: Wallet, options: RedeemOptions): Promise<FinalizedTransaction> {
  const state = await readAsTaker(wallet, options, { addresses: ['source'], rest: checkOrder });
  const { mint, source, amount, reason } = options;
  const intent = { kind: 'REDEEM', wallet: state.wallet, mint, source, amount, reason } as const;
  const instruction = await redeemInstruction(state.chain.deployment.program, intent);
  return state.send('Redeeming tokens', ...(await thawedFor(state, options, instruction)));
}

function checkOrder({ amount, reason }: RedeemOptions): void {
  if (typeof amount !== 'bigint' || amount <= 0n || amount > U64_MAX) {
    throw invalidArgument('amount', 'amount must be a bigint of base units above zero and below 2^64.');
  }
  if (!REMOVAL_REASONS.includes(reason)) {
    throw invalidArgument('reason', `reason must be one of ${REMOVAL_REASONS.join(', ')}.`);
  }
}

async function readTokenAccount(
  { chain, address: mint }: BoundMintState,
  address: Address,
  signal: AbortSignal | undefined,
) {
  const found = await readFinalAccount(chain, 'tokenAccount', address, signal);
  if (found?.data.mint !== mint) throw accountNotFound(`token account of the mint ${mint}`, address);
  return found.data;
}

/** Returns the instruction, between a thaw and a freeze if the source is frozen. */
async function thawedFor(
  state: BoundMintState,
  { source, amount, signal }: RedeemOptions,
  instruction: Instruction,
): Promise<Instruction[]> {
  const account = await readTokenAccount(state, source, signal);
  if (account.amount < amount) {
    throw invalidArgument(
      'amount',
      `The token account ${source} has ${account.amount} base units. Use at most this amount.`,
    );
  }
  if (!account.frozen) return [instruction];
  return [await freezing(state, source, 'thaw'), instruction, await freezing(state, source, 'freeze')];
}
