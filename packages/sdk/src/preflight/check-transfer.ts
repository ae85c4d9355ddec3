/** Checks whether a transfer or an issue would succeed. If not, says why and who must act. Uses the caller's own RPC; nobody signs. */
import { checkAddresses, invalidArgument } from '../lib/check-arguments.ts';
import { checkGenesisHash } from '../rpc/chain.ts';
import { shortfallIn } from '../rpc/funds.ts';
import { passLifeOf } from '../rpc/pass-life.ts';
import type { SessionOnChain } from '../session/session.ts';
import type {
  CheckTransferOptions,
  CheckTransferRequest,
  TransferCheck,
  TransferCheckFacts,
  TransferCheckReason,
} from './transfer-check-types.ts';
import { transferReasons } from './transfer-reasons.ts';
import { readTransferState, type TransferState } from './transfer-state.ts';

/** See `ServiceClient.checkTransfer`. */
export async function checkTransfer(
  { session, chain }: SessionOnChain,
  { mint, source, destination, amount }: CheckTransferRequest,
  { signal, wallet = session.snapshot.wallet ?? undefined }: CheckTransferOptions,
): Promise<TransferCheck> {
  const request = { mint, source, destination, amount };
  checkArguments(request);
  await checkGenesisHash(chain, signal);
  const state = await readTransferState(chain, request, { wallet, signal });
  const { chainTime, rule, binding } = state;
  const facts: TransferCheckFacts = {
    chainTime,
    rule,
    requireSource: binding?.data.requireSource ?? false,
    destinationPass: passLifeOf(state.destinationPass, state),
    sourcePass: passLifeOf(state.sourcePass, state),
  };
  const reasons = [
    ...transferReasons(request, state, facts, wallet),
    ...reasonsOfFunds(state, source ? 'holder' : 'issuer'),
  ];
  if (reasons.length === 0 && rule && facts.destinationPass) {
    return Object.freeze({ ...facts, ok: true, rule, destinationPass: facts.destinationPass });
  }
  for (const reason of reasons) Object.freeze(reason);
  return Object.freeze({ ...facts, ok: false, reasons: Object.freeze(reasons) });
}

function checkArguments({ mint, source, destination, amount }: CheckTransferRequest): void {
  checkAddresses({ mint, destination, ...(source === undefined ? {} : { source }) });
  if (typeof amount !== 'bigint') throw invalidArgument('amount', 'amount must be a bigint of base units.');
}

function reasonsOfFunds({ funds }: TransferState, who: 'holder' | 'issuer'): TransferCheckReason[] {
  const missing = funds && shortfallIn(funds);
  return missing ? [{ code: 'INSUFFICIENT_FUNDS', who, ...missing }] : [];
}
