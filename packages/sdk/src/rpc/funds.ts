/** Checks on the caller's own RPC that the wallet of an operation has the lamports and the tokens that it needs. */
import {
  type AccountOf,
  CLOCK_SYSVAR,
  type ComputeBudget,
  canPay,
  decodeAccount,
  type Funds,
  type FundsQuery,
  fundsMessage,
  fundsQuery,
  neededLamports,
  type PostedIntent,
  priorityFeeLamports,
} from '@service/protocol';
import type { Place } from '@service/protocol/eligibility/proof/proof-with-place';
import type { Address, MaybeEncodedAccount } from '@solana/kit';
import type { FundsShortfall } from '../error-contexts.ts';
import { ServiceError } from '../errors.ts';
import { clockOf, readTogether } from './accounts.ts';
import { type Chain, orIfRpcFails } from './chain.ts';

/** An operation that its wallet pays. */
export interface Cost {
  readonly intent: PostedIntent;
  /** What it pays for priority, if anything. */
  readonly budget?: ComputeBudget | undefined;
}

/** Returns the cost of a proof before it is made: the rent of pass and place depends on neither proof nor expiry. */
export function costOfProof(
  asked: { readonly rule: Address; readonly wallet: Address; readonly place?: Place | undefined },
  budget?: ComputeBudget,
): Cost {
  return { intent: { kind: 'PROVE', ...asked, expiresAt: 0n, proof: new Uint8Array() }, budget };
}

/** Returns the accounts that decide whether the wallet can pay. */
export function fundsQueryOf(chain: Chain, { intent, budget = {} }: Cost): Promise<FundsQuery> {
  return fundsQuery(chain.deployment.program, { intent, priorityFee: priorityFeeLamports(budget) });
}

/** Returns what the wallet lacks, or null if it can pay. */
export function shortfallIn(funds: Funds): FundsShortfall | null {
  return canPay(funds) ? null : { ...funds, needed: neededLamports(funds) };
}

/** Throws ServiceError INSUFFICIENT_FUNDS if the wallet cannot pay. */
export function checkCanPay(funds: Funds): void {
  const context = shortfallIn(funds);
  if (!context) return;
  throw new ServiceError('INSUFFICIENT_FUNDS', {
    message: `${fundsMessage(funds)} Then try again. Nothing was sent.`,
    context,
  });
}

/**
 * Checks that the wallet of an operation can pay, and that it has enough tokens, at confirmed commitment. The network drops a
 * transaction whose payer cannot pay, so its outcome would be unknown for minutes. One with too few tokens fails, and its
 * fee is lost.
 *
 * @throws ServiceError INSUFFICIENT_FUNDS, AMOUNT_TOO_HIGH, RPC_ERROR, ABORTED
 */
export async function checkFunds(chain: Chain, cost: Cost, signal: AbortSignal | undefined): Promise<void> {
  const { funds, most } = await readFundsNow(chain, cost, signal);
  checkCanPay(funds);
  checkAmount(cost.intent, most);
}

/**
 * Returns what a wallet has and needs, the highest amount of the operation in base units if it has one, and the chain's
 * time in Unix seconds, at confirmed commitment.
 *
 * @throws ServiceError RPC_ERROR, ABORTED, ACCOUNT_NOT_FOUND
 */
export async function readFundsNow(
  chain: Chain,
  cost: Cost,
  signal: AbortSignal | undefined,
): Promise<{ funds: Funds; most: bigint; chainTime: bigint }> {
  const { intent } = cost;
  const { addresses, fundsOf } = await fundsQueryOf(chain, cost);
  const reading = { what: 'Reading the balance of the wallet', commitment: 'confirmed', signal } as const;
  // An operation without an amount reads the clock twice, and the second result is not used.
  const all = [CLOCK_SYSVAR, limitingAccount(intent) ?? CLOCK_SYSVAR, ...addresses];
  return readTogether(chain, all, reading, ([clock, limiting, ...accounts]) => ({
    funds: fundsOf(accounts),
    most: mostOf(chain.deployment.program, intent, limiting!),
    chainTime: clockOf(clock!),
  }));
}

/** Checks funds before an operation is prepared. Ignores errors of the RPC. Throws ServiceError INSUFFICIENT_FUNDS, ABORTED. */
export async function checkFundsToPrepare(
  chain: Chain,
  cost: Cost,
  signal: AbortSignal | undefined,
): Promise<void> {
  const read = await orIfRpcFails(readFundsNow(chain, cost, signal), null);
  if (read) checkCanPay(read.funds);
}

/** The most base units that a mint or a token account has. */
export const U64_MAX = 2n ** 64n - 1n;

/** Returns the account that limits the amount of an operation: the source of tokens, or the mint of an issue. */
function limitingAccount(intent: PostedIntent): Address | null {
  if ('source' in intent) return intent.source;
  return intent.kind === 'ISSUE' ? intent.mint : null;
}

/**
 * Returns the highest amount of an operation in base units: what its wallet can send or take from the source, or what the
 * mint can still issue. Returns zero if that account has been closed.
 */
function mostOf(program: Address, intent: PostedIntent, limiting: MaybeEncodedAccount): bigint {
  if ('source' in intent) {
    const source = decodeAccount(program, 'tokenAccount', limiting)?.data;
    if (!source) return 0n;
    return intent.kind === 'TRANSFER' ? spendableBy(intent.wallet, source) : source.amount;
  }
  if (intent.kind !== 'ISSUE') return U64_MAX;
  const mint = decodeAccount(program, 'mint', limiting);
  return mint ? U64_MAX - mint.data.supply : 0n;
}

/** Returns the base units that a wallet can send from a token account. */
function spendableBy(
  wallet: Address,
  { owner, amount, delegate, delegatedAmount }: AccountOf<'tokenAccount'>,
): bigint {
  // If a wallet is owner and delegate, Token-2022 treats it as the delegate and limits it to the delegated amount.
  if (delegate === wallet) return delegatedAmount < amount ? delegatedAmount : amount;
  return owner === wallet ? amount : 0n;
}

/** Throws ServiceError AMOUNT_TOO_HIGH if an operation moves more than the highest amount. */
function checkAmount(intent: PostedIntent, most: bigint): void {
  if (!('amount' in intent) || intent.amount <= most) return;
  const { amount, wallet, mint } = intent;
  const limit =
    'source' in intent
      ? `the wallet ${wallet} can ${intent.kind === 'TRANSFER' ? 'send' : 'take'} at most ${most} from the token account ${intent.source}`
      : `the mint ${mint} can issue at most ${most} more`;
  throw new ServiceError('AMOUNT_TOO_HIGH', {
    message: `The amount is ${amount} base units, but ${limit}. Use a lower amount. Nothing was sent.`,
    context: { amount, most },
  });
}
