/** The worker: broadcasts signed operations and polls each until it has a finalized result (SPEC.md section 3). */
import { type OperationState, PENDING_STATES } from '@service/contract';
import { type Released, releaseLeases, takeLeases } from '../../database/lease.ts';
import { type Background, startBackground } from '../../lib/background.ts';
import type { Service } from '../../service.ts';
import { expireDrafts } from '../prepare/drafts.ts';
import { broadcastQueued } from './broadcast.ts';
import { follow } from './follow.ts';
import type { LeasedOperation, Look } from './look.ts';

/** Operations in one batch: the maximum of one request for signature statuses. */
const BATCH = 256;
const FOLLOWED_STATES = PENDING_STATES.filter((state) => state !== 'QUEUED');

const RELEASING = 'releasing leases';

interface WorkerLook extends Look {
  /** Leases that the next step releases. */
  readonly unreleased: Released[];
}

/** Starts the worker. Any number of processes may run one on the same database. */
export function startWorker(service: Service): Background {
  /** Leases whose release failed. Without another attempt, the operations would wait until the leases expire. */
  const unreleased: Released[] = [];
  return startBackground(service, {
    name: 'worker',
    job: 'worker',
    step: async (signal) => {
      while (unreleased[0]) {
        await releaseLeases(service.db, unreleased[0]);
        unreleased.shift();
      }
      service.outages.worked(RELEASING);
      await work({ service, signal, unreleased });
      await expireDrafts(service, signal);
    },
  });
}

/** Does one step. Queued operations come first and in their own batch, so that slow older operations never delay them. */
async function work(look: WorkerLook): Promise<void> {
  await withLeased(look, ['QUEUED'], async (queued) => {
    await broadcastQueued(look, queued);
    // Keep the lease on the operations that were just broadcast. The next step checks them for the first time.
    await withLeased(look, FOLLOWED_STATES, (sent) => follow(look, sent));
  });
}

/** Leases a batch of operations in these states, works on them, and releases the leases. */
async function withLeased(
  look: WorkerLook,
  states: readonly OperationState[],
  workOn: (leased: readonly LeasedOperation[]) => Promise<void>,
): Promise<void> {
  const { db, clock } = look.service;
  const leased = await takeLeases(db, { table: 'operation', states, now: clock.now(), limit: BATCH });
  try {
    await workOn(leased);
  } finally {
    await release(look, leased);
  }
}

async function release(
  { service, unreleased }: WorkerLook,
  leased: readonly LeasedOperation[],
): Promise<void> {
  const [first] = leased;
  if (!first) return;
  const now = service.clock.now();
  const dueAt = ({ signed_at }: LeasedOperation) =>
    now + checkInterval(service, now - Number(signed_at ?? now));
  const released = {
    table: 'operation',
    owner: first.lease_owner,
    due: new Map(leased.map((row) => [row.id, dueAt(row)])),
  } as const;
  await releaseLeases(service.db, released).catch((error: unknown) => {
    unreleased.push(released);
    service.outages.failed(RELEASING, error);
  });
}

/** Returns the milliseconds to the next check: one polling interval, then a twentieth of the age, at most a minute. */
function checkInterval({ settings }: Service, ageMs: number): number {
  const turn = settings.pollIntervalMs === 'manual' ? 0 : settings.pollIntervalMs;
  return Math.ceil(Math.min(Math.max(ageMs / 20 - 100, turn), 60_000));
}
