/** Rebuilds the message that the wallet may sign, and compares it with what the service prepared. */
import {
  type ComputeBudget,
  type Intent,
  operationMessage,
  type PlanOptions,
  planInstruction,
  splitWireTransaction,
} from '@service/protocol';
import { getBase64Encoder, type Instruction } from '@solana/kit';
import { checkedCircuit, pinnedCircuit } from '../eligibility/circuit.ts';
import type { MessageDifference } from '../error-contexts.ts';
import { ServiceError } from '../errors.ts';
import { type PinnedCircuit, readForPlan } from '../rpc/chain.ts';
import type { SessionOnChain } from '../session/session.ts';
import { compareMessages, readMessage, sameBytes } from './compare-messages.ts';

/** An operation as the caller asked for it, and what the service prepared. */
export interface PreparedIntent {
  readonly operationId: string;
  readonly intent: Intent;
  /** The compute budget, if the caller asked for a priority fee. */
  readonly budget: Required<ComputeBudget> | undefined;
  /** The service's unsigned transaction in base64, which is only compared. */
  readonly transaction: string;
}

/**
 * Returns the message of the caller's intent, built with facts from the caller's RPC. It takes only the blockhash from
 * the service's transaction, whose bytes must then be equal.
 *
 * @throws ServiceError PREPARED_MISMATCH with the differences, the codes of a plan, RPC_ERROR, ABORTED
 */
export async function expectedMessage(
  state: SessionOnChain,
  prepared: PreparedIntent,
  signal: AbortSignal | undefined,
): Promise<ExpectedMessage> {
  receivedMessage(prepared);
  return rebuiltMessage(prepared, await plan(state, prepared.intent, signal));
}

/** A message that the wallet may sign. */
export interface ExpectedMessage {
  readonly message: Uint8Array;
  readonly blockhash: string;
  /** The action of the message, planned with facts from the caller's RPC. */
  readonly instruction: Instruction;
}

/** Rebuilds the message of a planned instruction, and compares it. Throws ServiceError PREPARED_MISMATCH. */
export function rebuiltMessage(prepared: PreparedIntent, instruction: Instruction): ExpectedMessage {
  const { bytes, blockhash } = receivedMessage(prepared);
  const { intent, operationId, budget } = prepared;
  const message = operationMessage({ wallet: intent.wallet, operationId, blockhash, instruction, budget });
  if (!sameBytes(message, bytes)) throw mismatch(compareMessages(message, bytes));
  return { message, blockhash, instruction };
}

/** Returns the unsigned message that the service prepared. Throws ServiceError PREPARED_MISMATCH. */
function receivedMessage({ transaction }: PreparedIntent): { bytes: Uint8Array; blockhash: string } {
  const received = splitWireTransaction(new Uint8Array(getBase64Encoder().encode(transaction)));
  const read = received && readMessage(received.message);
  if (!read) {
    throw mismatch([
      { part: 'transaction', expected: 'one signature and a version 0 message', received: 'other bytes' },
    ]);
  }
  if (received.signature.some((byte) => byte !== 0)) {
    throw mismatch([{ part: 'signature', expected: 'none yet (zeros)', received: 'other bytes' }]);
  }
  return { bytes: received.message, blockhash: read.blockhash };
}

async function plan(state: SessionOnChain, intent: Intent, signal: AbortSignal | undefined) {
  const options = intent.kind === 'PROVE' ? ofCircuit(await pinnedCircuit(state, signal)) : {};
  return readForPlan(state.chain, signal, (reader) => planInstruction(reader, intent, options));
}

/** Plans a proof for the circuit of the pinned manifest only. */
const ofCircuit = (pinned: PinnedCircuit): PlanOptions => ({
  circuitId: pinned.id,
  checkCircuit: (found) => checkedCircuit(pinned, found),
});

function mismatch(differences: readonly MessageDifference[]): ServiceError {
  const parts = differences
    .slice(0, 3)
    .map(({ part, expected, received }) => `${part} must be ${expected} and is ${received}`);
  const more = differences.length > 3 ? `; and ${differences.length - 3} more` : '';
  return new ServiceError('PREPARED_MISMATCH', {
    message: `The prepared transaction is not the one that you requested: ${parts.join('; ')}${more}. Nothing was signed and nothing was sent. Do not trust this service.`,
    context: { differences },
  });
}
