/** Broadcasts signed operations. Every broadcast of an operation sends the same bytes. */

import { logError } from '@service/process';
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
import pMap from 'p-map';
import { underLease } from '../../database/lease.ts';
import type { OperationRow } from '../../database/schema.ts';
import { transitionAll } from '../../database/transition.ts';
import { messageToSign } from '../record.ts';
import { callSignal, type LeasedOperation, type Look } from './look.ts';

const BROADCAST = 'broadcasting an operation';
/** Broadcasts at once. A node that does not answer must not keep hundreds of sockets open. */
const BROADCASTS_AT_ONCE = 64;

/** Broadcasts queued operations. Those that a node answered become SUBMITTED; the next step retries the others. */
export async function broadcastQueued(look: Look, leased: readonly LeasedOperation[]): Promise<void> {
  const { db, log } = look.service;
  const answered = await pMap(leased, async (row) => ((await broadcast(look, row)) ? [row] : []), {
    concurrency: BROADCASTS_AT_ONCE,
  });
  const rows = answered.flat();
  if (rows.length === 0) return;
  const where = underLease(rows);
  const moved = await transitionAll(db, { table: 'operation', from: 'QUEUED', to: 'SUBMITTED', where });
  const isMoved = new Set(moved);
  for (const { id, kind } of rows)
    if (isMoved.has(id)) log.info({ operationId: id, kind }, 'operation submitted');
}

/**
 * Sends the operation's signed bytes without preflight, so that a transaction that fails also lands. Other RPCs get them if
 * the service's own does not answer. Returns false if no node answered. A rejection by a node counts as an answer, since only
 * the chain decides the outcome.
 */
export async function broadcast(look: Look, row: OperationRow): Promise<boolean> {
  const { rpc, otherRpcs, failures } = look.service;
  for (const each of [rpc, ...otherRpcs]) {
    if (!(await isAnswered(look, each, row))) continue;
    failures.worked('broadcast');
    return true;
  }
  if (!look.signal.aborted) failures.failed('broadcast');
  return false;
}

async function isAnswered(look: Look, rpc: Rpc<SendTransactionApi>, row: OperationRow): Promise<boolean> {
  const { service } = look;
  const name = rpc === service.rpc ? BROADCAST : `${BROADCAST} by another RPC`;
  try {
    await rpc
      .sendTransaction(signedBytes(row), { encoding: 'base64', skipPreflight: true, maxRetries: 0n })
      .send({ abortSignal: callSignal(look) });
    service.outages.worked(name);
    return true;
  } catch (error) {
    const isRefused = wasRefused(error);
    if (isRefused) {
      service.outages.worked(name);
      logError(service.log.child({ operationId: row.id }), error, 'the RPC rejected a broadcast');
    } else service.outages.failed(name, error);
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

/** Returns the submitted bytes: the message with the saved signature. */
function signedBytes(row: OperationRow): Base64EncodedWireTransaction {
  const { signature } = row;
  if (signature === null) throw new Error('The queued operation has no signature.');
  const wire = wireTransaction(messageToSign(row), new Uint8Array(getBase58Encoder().encode(signature)));
  return Buffer.from(wire).toString('base64') as Base64EncodedWireTransaction;
}
