/** Broadcasts signed operations. Every broadcast of an operation sends the same bytes. */
import { wireTransaction } from '@service/protocol';
import {
  type Base64EncodedWireTransaction,
  getBase58Encoder,
  isSolanaError,
  type Rpc,
  type SendTransactionApi,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_NODE_UNHEALTHY,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
} from '@solana/kit';
import { transition } from '../../database/transition.ts';
import { logError } from '../../lib/log-error.ts';
import { messageToSign, type OperationRow } from '../tables.ts';
import { callSignal, type LeasedOperation, type Look } from './look.ts';

/** The name of this work in the log. */
const BROADCAST = 'broadcasting an operation';

/** Broadcasts queued operations. Each becomes SUBMITTED when a node has answered; otherwise the next step retries it. */
export async function broadcastQueued(look: Look, leased: readonly LeasedOperation[]): Promise<void> {
  const { service } = look;
  await Promise.all(
    leased.map(async ({ row, owner }) => {
      if (!(await broadcast(look, row))) return;
      const isMoved = await transition(service.db, {
        table: 'operation',
        id: row.id,
        from: 'QUEUED',
        to: 'SUBMITTED',
        owner,
      });
      if (isMoved) service.log.info({ operationId: row.id, kind: row.kind }, 'operation submitted');
    }),
  );
}

/**
 * Sends the operation's signed bytes without preflight, so that a transaction that fails also lands.
 * Returns false if no node answered. A rejection by a node counts as an answer, since only the chain decides the outcome.
 */
export async function broadcast(look: Look, row: OperationRow): Promise<boolean> {
  const { service } = look;
  try {
    await send(service.rpc, signedBytes(row), callSignal(look));
    service.outages.worked(BROADCAST);
    return true;
  } catch (error) {
    const isRefused = wasRefused(error);
    if (isRefused) {
      service.outages.worked(BROADCAST);
      logError(service.log.child({ operationId: row.id }), error, 'the RPC rejected a broadcast');
    } else service.outages.failed(BROADCAST, error);
    return isRefused;
  }
}

function wasRefused(error: unknown): boolean {
  return (
    isSolanaError(error) &&
    !isSolanaError(error, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR) &&
    !isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_NODE_UNHEALTHY)
  );
}

async function send(
  rpc: Rpc<SendTransactionApi>,
  wire: Base64EncodedWireTransaction,
  signal: AbortSignal,
): Promise<void> {
  await rpc
    .sendTransaction(wire, { encoding: 'base64', skipPreflight: true, maxRetries: 0n })
    .send({ abortSignal: signal });
}

/** Returns the submitted bytes: the message with the saved signature. */
function signedBytes(row: OperationRow): Base64EncodedWireTransaction {
  const { signature } = row;
  if (signature === null) throw new Error('The queued operation has no signature.');
  const wire = wireTransaction(messageToSign(row), new Uint8Array(getBase58Encoder().encode(signature)));
  return Buffer.from(wire).toString('base64') as Base64EncodedWireTransaction;
}
