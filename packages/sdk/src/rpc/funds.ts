/** Checks on the caller's own RPC that the wallet of an operation has the lamports and the tokens that it needs. */
import {
  CLOCK_SYSVAR,
  type ComputeBudget,
  canPay,
  type Funds,
  type FundsQuery,
  fundsMessage,
  fundsQuery,
  neededLamports,
  type PostedIntent,
  priorityFeeLamports,
} from '@service/protocol';
import type { Place } from '@service/protocol/eligibility/proof/proof-with-place';
import type { Address } from '@solana/kit';
import type { FundsShortfall } from '../error-contexts.ts';
import { ServiceError } from '../errors.ts';
import { readTogether } from './accounts.ts';
import { checkAmount, limitingAccount, mostOf } from './amount.ts';
import { type Chain, orIfRpcFails } from './chain.ts';
import { clockOf } from './pass-life.ts';

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
