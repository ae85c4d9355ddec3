/** The preparing endpoints, which share one implementation (SPEC.md sections 3 and 4). */
import { createHash, randomUUID } from 'node:crypto';
import {
  DRAFT_LIFETIME_SECONDS,
  OPERATION_KINDS,
  type Operation,
  type OperationKind,
  PENDING_STATES,
  PREPARING_ROUTES,
  ROUTES,
} from '@service/contract';
import {
  COMPUTE_UNIT_LIMITS,
  type ComputeBudget,
  type PostedIntent,
  postedIntent,
  priorityFeeLamports,
} from '@service/protocol';
import type { Address } from '@solana/kit';
import * as z from 'zod/mini';
import { assertIndexFresh } from '../../chain-index/freshness.ts';
import { invalidRequest, ServiceFault } from '../../http/failures/fault.ts';
import type { Handlers, RouteInput } from '../../http/routing/route-types.ts';
import type { Service } from '../../service.ts';
import { maxPriorityFeeOf } from '../../settings.ts';
import { assertNotPaused, stopsAtPause } from '../pause.ts';
import { plan } from '../plan/plan.ts';
import { operationRecordOf } from '../record.ts';
import { assertCanPay } from './can-pay.ts';
import { draftMessage, withDraftExpiry } from './drafts.ts';

type PreparingRoute = (typeof PREPARING_ROUTES)[OperationKind];
type PrepareInput = RouteInput<PreparingRoute>;

/** The handlers of the preparing endpoints. */
export const PREPARING_HANDLERS = Object.fromEntries(
  OPERATION_KINDS.map((kind) => [
    PREPARING_ROUTES[kind],
    (service: Service, input: PrepareInput) => prepare(service, kind, input),
  ]),
) as Handlers<PreparingRoute>;

/** A request to prepare, after its body was converted. */
interface PrepareRequest {
  readonly intent: PostedIntent;
  /** Micro-lamports for each compute unit; undefined if the transaction pays no priority fee. */
  readonly computeUnitPrice: bigint | undefined;
  readonly idempotencyKey: string;
  /** Identifies the request that the idempotency key belongs to. */
  readonly requestHash: string;
  readonly signal: AbortSignal;
}

/**
 * Prepares an operation: a DRAFT with its unsigned transaction, committed before the response. The same key with the
 * same body returns the same operation, also if both requests arrive at once.
 *
 * @throws ServiceFault, checked in this order: idempotency key, pending operation, pause, index, resource
 */
async function prepare(
  service: Service,
  kind: OperationKind,
  { wallet, body, idempotencyKey, signal }: PrepareInput,
): Promise<Operation> {
  const { computeUnitPrice, ...asked } = body;
  const request = {
    intent: postedIntent(kind, wallet, asked),
    computeUnitPrice,
    idempotencyKey,
    requestHash: hashOf(kind, body),
    signal,
  };
  return (await findReplay(service, request)) ?? prepareNew(service, request);
}

async function prepareNew(service: Service, request: PrepareRequest): Promise<Operation> {
  const { intent, signal } = request;
  await assertNothingPending(service, intent.wallet);
  if (stopsAtPause(intent)) await assertNotPaused(service);
  const { tip } = await assertIndexFresh(service);
  const budget = budgetOf(service, request);
  const { instruction, rule } = await plan({ service, tip, signal }, intent);
  await assertCanPay(service, { intent, priorityFee: priorityFeeLamports(budget ?? {}) }, signal);
  const id = randomUUID();
  const draft = await draftMessage(service, { id, wallet: intent.wallet, instruction, budget });
  const createdAt = BigInt(service.clock.now());
  const row = await service.db
    .insertInto('operation')
    .values({
      ...draft,
      id,
      rule,
      wallet: intent.wallet,
      kind: intent.kind,
      state: 'DRAFT',
      idempotency_key: request.idempotencyKey,
      request_hash: request.requestHash,
      created_at: createdAt,
      expires_at: createdAt + BigInt(DRAFT_LIFETIME_SECONDS) * 1_000n,
    })
    .onConflict((conflict) => conflict.columns(['wallet', 'idempotency_key']).doNothing())
    .returningAll()
    .executeTakeFirst();
  if (row) return operationRecordOf(service, row);
  // Another request with the same key was faster.
  const first = await findReplay(service, request);
  if (!first) throw new Error('The idempotency key is in use, but its operation was not found.');
  return first;
}

/** Returns the compute budget of a request for a priority fee. @throws ServiceFault INVALID_REQUEST if the fee is too high */
function budgetOf(
  { settings }: Service,
  { intent, computeUnitPrice: price }: PrepareRequest,
): Required<ComputeBudget> | undefined {
  if (!price) return undefined;
  const budget = { limit: COMPUTE_UNIT_LIMITS[intent.kind], price };
  const fee = priorityFeeLamports(budget);
  const most = maxPriorityFeeOf(settings);
  if (fee <= most) return budget;
  throw invalidRequest(
    `body.computeUnitPrice makes a priority fee of ${fee} lamports. This service accepts at most ${most}. Set a lower price.`,
  );
}

/** Returns the operation that already has this key, or null. @throws ServiceFault IDEMPOTENCY_CONFLICT */
async function findReplay(
  service: Service,
  { intent, idempotencyKey, requestHash }: PrepareRequest,
): Promise<Operation | null> {
  const row = await service.db
    .selectFrom('operation')
    .selectAll()
    .where('wallet', '=', intent.wallet)
    .where('idempotency_key', '=', idempotencyKey)
    .executeTakeFirst();
  if (!row) return null;
  if (row.request_hash !== requestHash) throw new ServiceFault('IDEMPOTENCY_CONFLICT');
  return operationRecordOf(service, await withDraftExpiry(service, row));
}

/** Checks that the wallet has no signed operation without a final result. @throws ServiceFault SIGNED_OPERATION_PENDING */
export async function assertNothingPending(service: Service, wallet: Address): Promise<void> {
  const pending = await service.db
    .selectFrom('operation')
    .select('id')
    .where('wallet', '=', wallet)
    .where('state', 'in', [...PENDING_STATES])
    .executeTakeFirst();
  if (pending) throw signedOperationPending(pending.id);
}

/** Returns the SIGNED_OPERATION_PENDING fault. It names the pending operation if that is known. */
export function signedOperationPending(id?: string): ServiceFault {
  return new ServiceFault(
    'SIGNED_OPERATION_PENDING',
    id && `The wallet’s operation ${id} is signed and has no final result yet. Wait for it.`,
  );
}

/** Hashes the route and the body. The body is encoded by its schema, so that the order of fields is fixed. */
function hashOf(kind: OperationKind, body: PrepareInput['body']): string {
  const route = PREPARING_ROUTES[kind];
  const schema: z.ZodMiniType = ROUTES[route].request;
  const canonical = JSON.stringify([route, z.encode(schema, body as never)]);
  return createHash('sha256').update(canonical).digest('hex');
}
