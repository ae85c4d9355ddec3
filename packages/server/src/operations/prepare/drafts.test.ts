import { MEMO_PROGRAM, SYSTEM_PROGRAM } from '@service/protocol';
import { generateKeyPairSigner } from '@solana/kit';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testWorld } from '../../../test/support/test-world.ts';
import { createSharedReads } from '../../reads/shared-reads.ts';
import type { Service } from '../../service.ts';
import { draftMessage, expireDrafts } from './drafts.ts';

const world = testWorld();
const DRAFTS = 5_000;

/** Copies a draft, so that its blockhash and time are those of a real one. */
async function copy(id: string, count: number): Promise<void> {
  const { db } = world.database;
  await sql`insert into operation (id, idempotency_key, request_hash, state, wallet, kind, rule, message,
      last_valid_block_height, draft_slot, created_at, expires_at)
    select 'copy ' || number, 'copy ' || number, '', state, wallet, kind, rule, message,
      last_valid_block_height, draft_slot, created_at, expires_at
    from operation, generate_series(1, ${count}) as number where id = ${id}`.execute(db);
  await sql`analyze operation`.execute(db);
}
const drafts = async () => {
  const { rows } = await sql<{ count: string }>`
    select count(*)::text as count from operation where state = 'DRAFT'`.execute(world.database.db);
  return Number(rows[0]?.count);
};

test('a step reads no draft that has not expired, and ends all that have, in batches', async () => {
  const { db } = world.database;
  const { id } = await world.drafted();
  await copy(id, DRAFTS);
  const { service } = world.created;
  await expireDrafts(service, service.signal);
  expect(await drafts()).toBe(DRAFTS + 1);

  const plan = async (query: string) => JSON.stringify((await sql.raw(`explain ${query}`).execute(db)).rows);
  const ofDrafts = "from operation where state = 'DRAFT'";
  for (const [query, index] of [
    [
      `select last_valid_block_height ${ofDrafts} order by last_valid_block_height limit 1`,
      'operation_draft_heights',
    ],
    [`select id ${ofDrafts} and last_valid_block_height < 1 limit 500`, 'operation_draft_heights'],
    [`select id ${ofDrafts} and expires_at <= 1 limit 500`, 'operation_drafts'],
  ] as const) {
    expect(await plan(query)).toContain(index);
    expect(await plan(query)).not.toContain('Seq Scan');
  }

  world.net.advanceSlots(200);
  await expireDrafts(service, service.signal);
  expect(await drafts()).toBe(0);
});

const lifetime = { blockhash: MEMO_PROGRAM, lastValidBlockHeight: 150n };
const rpc = {
  getLatestBlockhash: () => ({ send: async () => ({ context: { slot: 7n }, value: lifetime }) }),
} as unknown as Service['rpc'];
const { signal } = new AbortController();
const shared = createSharedReads({ clock: Date, signal, settings: {} });

test.each([
  [940, true],
  [1_300, false],
])('an instruction with %i bytes of data fits one transaction: %s', async (bytes, fits) => {
  const { address: wallet } = await generateKeyPairSigner();
  const instruction = { programAddress: SYSTEM_PROGRAM, data: new Uint8Array(bytes) };
  const id = '0b6f1c52-8f0e-4a55-9d0e-6f0e3a1f2b3c';
  const draft = draftMessage({ rpc, shared }, { id, wallet, instruction });
  const tooLarge = { code: 'INVALID_REQUEST', message: expect.stringMatching(/1232/) };
  if (fits) await expect(draft).resolves.toMatchObject({ draft_slot: 7n, last_valid_block_height: 150n });
  else await expect(draft).rejects.toMatchObject(tooLarge);
});
