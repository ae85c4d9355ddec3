/** Rebuilds the message that the wallet may sign, and compares it with what the service prepared. */
import {
  type Intent,
  operationMessage,
  PlanError,
  planInstruction,
  splitWireTransaction,
} from '@service/protocol';
import { getBase64Encoder } from '@solana/kit';
import type { ClientCore } from '../client/core.ts';
import { readPinnedCircuit } from '../eligibility/circuit.ts';
import { ServiceError } from '../errors.ts';
import type { PreparedSecret } from '../operations/prepared.ts';
import { callRpc, readerOf } from '../rpc/chain-rpc.ts';
import { compareMessages, type MessageDifference, readMessage, sameBytes } from './compare-messages.ts';

/**
 * Returns the message of the caller's intent, built with facts from the caller's RPC. It takes only the blockhash from
 * the service's transaction, whose bytes must then be equal.
 *
 * @throws ServiceError PREPARED_MISMATCH with the differences, the codes of a plan, RPC_ERROR, ABORTED
 */
export async function expectedMessage(
  core: ClientCore,
  { intent, operationId, transaction, budget }: PreparedSecret,
  signal: AbortSignal | undefined,
): Promise<{ message: Uint8Array; blockhash: string }> {
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
  const instruction = await plan(core, intent, signal);
  const { blockhash } = read;
  const message = operationMessage({ wallet: intent.wallet, operationId, blockhash, instruction, budget });
  if (!sameBytes(message, received.message)) throw mismatch(compareMessages(message, received.message));
  return { message, blockhash };
}

async function plan(core: ClientCore, intent: Intent, signal: AbortSignal | undefined) {
  const options =
    intent.kind === 'PROVE' ? { circuitId: (await readPinnedCircuit(core, signal)).data.id } : {};
  return callRpc(core, 'Reading the accounts of the operation', signal, async (_rpc, bounds) => {
    try {
      return await planInstruction(readerOf(core, bounds), intent, options);
    } catch (error) {
      if (!(error instanceof PlanError)) throw error;
      throw new ServiceError(error.code, {
        message: `Nothing was signed, because your own RPC shows a problem. ${error.message}`,
      });
    }
  });
}

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
