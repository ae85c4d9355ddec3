/** The worker: broadcasts signed operations and follows each until a finalized result exists (SPEC.md section 3). */
import { type OperationState, PENDING_STATES } from '@service/contract';
import { releaseLease, takeLeases } from '../../database/lease.ts';
import { type Background, startBackground } from '../../lib/background.ts';
import { logError } from '../../lib/log-error.ts';
import type { Service } from '../../service.ts';
import { expireDrafts } from '../prepare/drafts.ts';
import type { OperationRow } from '../tables.ts';
import { broadcastQueued } from './broadcast.ts';
import { follow } from './follow.ts';
import type { Held, Look } from './look.ts';

/** Operations that one look takes: as many as one request for signature statuses holds. */
const BATCH = 256;
const FOLLOWED_STATES = PENDING_STATES.filter((state) => state !== 'QUEUED');

/** Starts the worker. Any number of processes may run one on the same database. */
export function startWorker(service: Service): Background {
  return startBackground(service, {
    name: 'worker',
    step: async (signal) => {
      await work({ service, signal });
      await expireDrafts(service, signal);
    },
  });
}

/** What is queued comes first and has a batch of its own: old operations that are slow to settle never hold it up. */
async function work(look: Look): Promise<void> {
  await withHeld(look, ['QUEUED'], async (queued) => {
    await broadcastQueued(look, queued);
    // The lease on what was just broadcast is still held: its first look is the next step's.
    await withHeld(look, FOLLOWED_STATES, (sent) => follow(look, sent));
  });
}

/** Works on a batch of operations in these states under their leases, and gives those back. */
async function withHeld(
  look: Look,
  states: readonly OperationState[],
  workOn: (held: readonly Held[]) => Promise<void>,
): Promise<void> {
  const { db, clock } = look.service;
  const { owner, ids } = await takeLeases(db, { table: 'operation', states, now: clock.now(), limit: BATCH });
  const rows = ids.length
    ? await db.selectFrom('operation').selectAll().where('id', 'in', ids).execute()
    : [];
  try {
    await workOn(rows.map((row) => ({ row, owner })));
  } finally {
    for (const row of rows) await release(look, row, owner);
  }
}

async function release({ service }: Look, row: OperationRow, owner: string): Promise<void> {
  const now = service.clock.now();
  const dueAt = now + attentionInterval(service, now - Number(row.signed_at ?? now));
  await releaseLease(service.db, { table: 'operation', id: row.id, owner, dueAt }).catch((error: unknown) => {
    // It runs out by itself.
    logError(service.log, error, 'a lease could not be given back');
  });
}

/** Milliseconds to the next look: at every turn at first, then a twentieth of the operation's age, at most a minute. */
function attentionInterval({ settings }: Service, ageMs: number): number {
  const turn = settings.pollIntervalMs === 'manual' ? 0 : settings.pollIntervalMs;
  return Math.ceil(Math.min(Math.max(ageMs / 20 - 100, turn), 60_000));
}
