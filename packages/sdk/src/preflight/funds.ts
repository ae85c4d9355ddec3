/** Checks that the wallet of an operation can pay its fees and rent, with the caller's own RPC. */
import {
  type ComputeBudget,
  canPay,
  type Funds,
  fundsMessage,
  type Intent,
  neededLamports,
  priorityFeeLamports,
  readFunds,
} from '@service/protocol';
import type { Commitment } from '@solana/kit';
import type { FundsShortfall } from '../error-contexts.ts';
import { ServiceError } from '../errors.ts';
import { type Chain, callRpc, orIfRpcFails } from '../rpc/chain-rpc.ts';

/** What an operation costs besides the fee of its signature. */
export interface Cost {
  readonly intent: Intent;
  /** The most lamports that it pays for priority. */
  readonly priorityFee: bigint;
}

/** Returns what the wallet lacks, or null if it can pay. Throws ServiceError RPC_ERROR, ABORTED. */
export async function readShortfall(
  chain: Chain,
  cost: Cost,
  options: { readonly commitment: Commitment; readonly signal: AbortSignal | undefined },
): Promise<FundsShortfall | null> {
  const funds = await readFundsOf(chain, cost, options);
  return canPay(funds) ? null : shortfallOf(funds);
}

/**
 * Checks that the wallet of an operation can pay at confirmed commitment. The network drops a transaction whose payer
 * cannot, so its outcome would be unknown for minutes.
 *
 * @throws ServiceError INSUFFICIENT_FUNDS, RPC_ERROR, ABORTED
 */
export async function checkFunds(chain: Chain, cost: Cost, signal: AbortSignal | undefined): Promise<void> {
  const funds = await readFundsOf(chain, cost, { commitment: 'confirmed', signal });
  if (canPay(funds)) return;
  throw new ServiceError('INSUFFICIENT_FUNDS', {
    message: `${fundsMessage(funds)} Then try again. Nothing was signed.`,
    context: shortfallOf(funds),
  });
}

/** Checks it if the RPC answers: the wallet is not asked yet. Throws ServiceError INSUFFICIENT_FUNDS, ABORTED. */
export async function checkFundsToPrepare(
  chain: Chain,
  { intent, budget }: { readonly intent: Intent; readonly budget: ComputeBudget | undefined },
  signal: AbortSignal | undefined,
): Promise<void> {
  await orIfRpcFails(
    checkFunds(chain, { intent, priorityFee: priorityFeeLamports(budget ?? {}) }, signal),
    null,
  );
}

function readFundsOf(
  { rpc, deployment }: Chain,
  cost: Cost,
  { commitment, signal }: { readonly commitment: Commitment; readonly signal: AbortSignal | undefined },
): Promise<Funds> {
  const { program } = deployment;
  return callRpc('Reading the balance of the wallet', signal, ({ abortSignal }) =>
    readFunds({ rpc, program, commitment, signal: abortSignal }, cost),
  );
}

function shortfallOf(funds: Funds): FundsShortfall {
  return { ...funds, needed: neededLamports(funds) };
}
