/** Checks that the wallet of an operation can pay its fees and rent, with the caller's own RPC. */
import {
  type ComputeBudget,
  canPay,
  type Funds,
  fundsMessage,
  neededLamports,
  type PostedIntent,
  priorityFeeLamports,
  readFunds,
} from '@service/protocol';
import type { Address, Commitment } from '@solana/kit';
import type { FundsShortfall } from '../error-contexts.ts';
import { ServiceError } from '../errors.ts';
import { type Chain, callRpc, orIfRpcFails } from './chain.ts';

/** An operation that its wallet pays. */
export interface Cost {
  readonly intent: PostedIntent;
  /** What it pays for priority, if anything. */
  readonly budget?: ComputeBudget | undefined;
}

/** Returns the cost of a proof before it is made: the rent of the pass depends on neither proof nor expiry. */
export function costOfProof(
  { rule, wallet }: { readonly rule: Address; readonly wallet: Address },
  budget?: ComputeBudget,
): Cost {
  return { intent: { kind: 'PROVE', wallet, rule, expiresAt: 0n, proof: new Uint8Array() }, budget };
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

/** Checks funds before an operation is prepared. Ignores errors of the RPC. Throws ServiceError INSUFFICIENT_FUNDS, ABORTED. */
export async function checkFundsToPrepare(
  chain: Chain,
  cost: Cost,
  signal: AbortSignal | undefined,
): Promise<void> {
  await orIfRpcFails(checkFunds(chain, cost, signal), null);
}

function readFundsOf(
  chain: Chain,
  { intent, budget = {} }: Cost,
  { commitment, signal }: { readonly commitment: Commitment; readonly signal: AbortSignal | undefined },
): Promise<Funds> {
  const { program } = chain.deployment;
  const priorityFee = priorityFeeLamports(budget);
  return callRpc(chain, 'Reading the balance of the wallet', signal, (rpc, { abortSignal }) =>
    readFunds({ rpc, program, commitment, signal: abortSignal }, { intent, priorityFee }),
  );
}

function shortfallOf(funds: Funds): FundsShortfall {
  return { ...funds, needed: neededLamports(funds) };
}
