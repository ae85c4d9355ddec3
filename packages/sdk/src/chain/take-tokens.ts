import { REMOVAL_REASONS } from '@service/contract/removal-reasons';
import { recoverInstruction, redeemInstruction } from '@service/protocol';
import type { Address, Instruction } from '@solana/kit';
import { invalidArgument } from '../lib/check-arguments.ts';
import { checkReceiver } from '../preflight/check-receiver.ts';
import { accountNotFound, readFinalAccount } from '../rpc/accounts.ts';
import { U64_MAX } from '../rpc/funds.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { type MintState, readAsTaker } from './bound-mint.ts';
import { freezing } from './freeze.ts';
import type { FinalizedTransaction } from './send.ts';
import { burnByDelegate, transferByDelegate } from './take-by-delegate.ts';
import type { RecoverOptions, RedeemOptions } from './take-options.ts';

/**
 * Moves tokens from one token account to another one, as the issuer and without the signature of the owner: for a holder
 * who lost a key, or by order of a court. Only a bound mint of the templates `security` and `fund` has this power, and a mint
 * that has a gate, if the wallet is its permanent delegate. Resolves when finalized.
 *
 * Call `client.recover` for a bound mint and a source that is not frozen: its operation has an id, a record and a receipt. The
 * service cannot prepare what a frozen source needs. This call thaws it, takes the tokens and freezes it again in one
 * transaction, if the wallet can thaw and freeze.
 *
 * With a gate, Token-2022 moves the tokens, and a memo records the reason.
 *
 * @throws ServiceError INVALID_ARGUMENT (also for another wallet than that of the issuer or the permanent delegate, for a mint
 *   without this power, and for a destination that is frozen, of another mint, or whose owner can change),
 *   GENESIS_HASH_MISMATCH, ACCOUNT_NOT_FOUND, GATE_UNUSABLE, PASS_REQUIRED, PASS_SUSPENDED and CREDENTIAL_REQUIRED for the
 *   owner of the destination, PROTOCOL_PAUSED, MINT_PAUSED, WALLET_REJECTED, WALLET_CHANGED_TRANSACTION, RPC_ERROR, TRANSACTION_FAILED
 * @example
 * await recover(wallet, { deployment, mint, source, destination, amount: 500n, reason: 'lost-key' });
 */
export async function recover(wallet: Wallet, options: RecoverOptions): Promise<FinalizedTransaction> {
  const check = { addresses: ['source', 'destination'], rest: checkMove } as const;
  const state = await readAsTaker(wallet, options, check);
  const take = state.binding ? recoverByBinding : transferByDelegate;
  return state.send('Recovering tokens', ...(await thawedFor(state, options, await take(state, options))));
}

async function recoverByBinding(
  { chain, wallet: issuer }: MintState,
  { mint, source, destination, amount, reason, signal }: RecoverOptions,
): Promise<Instruction[]> {
  const issue = { chain, issuer, mint, signal };
  const facts = await checkReceiver(issue, { destination, amount });
  const intent = { kind: 'RECOVER', wallet: issuer, mint, source, destination, amount, reason } as const;
  return [await recoverInstruction(chain.deployment.program, intent, facts)];
}

/**
 * Burns tokens of a token account, as the issuer and without the signature of the owner. The mints of {@link recover} have
 * this power. Call `client.redeem` for a bound mint and a source that is not frozen. This call also takes from a frozen one, as
 * {@link recover} does. Resolves when finalized.
 *
 * @throws ServiceError those of {@link recover}, except those of the destination
 * @example
 * await redeem(wallet, { deployment, mint, source, amount: 500n, reason: 'redemption' });
 */
export async function redeem(wallet: Wallet, options: RedeemOptions): Promise<FinalizedTransaction> {
  const state = await readAsTaker(wallet, options, { addresses: ['source'], rest: checkOrder });
  const take = state.binding ? redeemByBinding : burnByDelegate;
  return state.send('Redeeming tokens', ...(await thawedFor(state, options, await take(state, options))));
}

async function redeemByBinding(
  { chain, wallet }: MintState,
  { mint, source, amount, reason }: RedeemOptions,
): Promise<Instruction[]> {
  const intent = { kind: 'REDEEM', wallet, mint, source, amount, reason } as const;
  return [await redeemInstruction(chain.deployment.program, intent)];
}

function checkMove(options: RecoverOptions): void {
  checkOrder(options);
  if (options.source === options.destination)
    throw invalidArgument(
      'destination',
      'The source and the destination are the same token account. Use two accounts.',
    );
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
  { chain, address: mint }: MintState,
  address: Address,
  signal: AbortSignal | undefined,
) {
  const found = await readFinalAccount(chain, 'tokenAccount', address, signal);
  if (found?.data.mint !== mint) throw accountNotFound(`token account of the mint ${mint}`, address);
  return found.data;
}

/** Returns the instructions, between a thaw and a freeze if the source is frozen. */
async function thawedFor(
  state: MintState,
  { source, amount, signal }: RedeemOptions,
  instructions: readonly Instruction[],
): Promise<Instruction[]> {
  const account = await readTokenAccount(state, source, signal);
  if (account.amount < amount) {
    throw invalidArgument(
      'amount',
      `The token account ${source} has ${account.amount} base units. Use at most this amount.`,
    );
  }
  if (!account.frozen) return [...instructions];
  return [await freezing(state, source, 'thaw'), ...instructions, await freezing(state, source, 'freeze')];
}
