import { randomUUID } from 'node:crypto';
import { failingResponse } from '@service/contract';
import { createSolanaRpcFromTransport } from '@solana/kit';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { openTestDatabase } from '../../test/test-database.ts';
import { StillClock, setUp, startChain, type TestChain } from '../chain-index/_chain.ts';
import type { Database } from '../database/open.ts';
import { transition } from '../database/transition.ts';
import { type TestService, testService } from '../reads/_service.ts';
import { addIssuingSession } from '../verification/_sessions.ts';

let clock: StillClock;
let chain: TestChain;
let database: Database;
let service: TestService;

beforeAll(async () => {
  clock = new StillClock();
  chain = await startChain({ clock, bare: true });
  database = await openTestDatabase();
  service = await testService(chain, { clock, database });
});
afterEach(() => chain.net.resume());
afterAll(async () => {
  await service.close();
  await database.close();
  await chain.net.stop();
});

async function ready(of: Pick<TestService, 'app'> = service) {
  const response = await of.app.request('/api/health/ready');
  return {
    status: response.status,
    body: (await response.json()) as object,
    requestId: response.headers.get('x-request-id'),
  };
}
const failing = (...bad: string[]) => ({
  status: 503,
  body: {
    status: 'failing',
    checks: Object.fromEntries(
      ['database', 'chain', 'index', 'jobs'].map((check) => [check, !bad.includes(check)]),
    ),
  },
});

describe('GET /api/health/ready', () => {
  it('fails before the index has been read once', async () => {
    expect(await ready()).toMatchObject(failing('index'));
  });

  it('waits for all that governance has to set up', async () => {
    await service.follow();
    expect(await ready()).toMatchObject({
      status: 200,
      body: { status: 'waiting', missing: ['program', 'governance', 'circuit', 'passFee'] },
    });
  });

  it('waits for what is still missing, by name', async () => {
    await setUp(chain, { passFee: null });
    await service.follow();
    expect((await ready()).body).toEqual({ status: 'waiting', missing: ['passFee'] });
    await chain.setPassFee(50_000n);
    await service.follow();
    expect(await ready()).toMatchObject({ status: 200, body: { status: 'ok' } });
  });

  it('waits for the circuit of the artifacts that it serves', async () => {
    const other = await testService(chain, { clock, database, artifactsDigest: '0'.repeat(64) });
    expect((await ready(other)).body).toEqual({ status: 'waiting', missing: ['circuit'] });
    await other.close();
  });

  it('fails when the chain does', async () => {
    for (const how of ['unavailable', 'unreachable'] as const) {
      chain.net.pause(how);
      expect(await ready()).toMatchObject(failing('chain', 'index'));
      chain.net.resume();
    }
    expect((await ready()).status).toBe(200);
  });

  it('fails when the node says that it is unhealthy', async () => {
    const rpc = createSolanaRpcFromTransport((async (request: { payload: unknown }) => {
      const { method, id } = request.payload as { method: string; id: string };
      const error = { code: -32005, message: 'Node is behind by 42 slots', data: { numSlotsBehind: 42 } };
      return method === 'getHealth' ? { jsonrpc: '2.0', id, error } : chain.net.transport(request);
    }) as typeof chain.net.transport);
    const other = await testService(chain, { clock, database, rpc });
    expect(await ready(other)).toMatchObject(failing('chain', 'index'));
    await other.close();
  });

  it('gives up on a chain that never answers', async () => {
    const rpc = createSolanaRpcFromTransport(
      (() => new Promise(() => undefined)) as typeof chain.net.transport,
    );
    const other = await testService(chain, { clock, database, rpc });
    expect(await ready(other)).toMatchObject(failing('chain', 'index'));
    await other.close();
  });

  it('fails when the index lags', async () => {
    clock.pass(31);
    chain.net.advanceSlots(3);
    expect(await ready()).toMatchObject(failing('index'));
    await service.follow();
    expect((await ready()).status).toBe(200);
  });

  it('fails while a credential cannot be issued, and not for one that the chain refused for good', async () => {
    const add = async () => {
      const id = randomUUID();
      await addIssuingSession(database.db, {
        id,
        wallet: chain.program,
        created_at: 0n,
        expires_at: 1n,
        verifier_authority: chain.program,
        commitment: new Uint8Array(32),
        issued_at: 0n,
        credential_expires_at: 1n,
        signature: new Uint8Array(64),
        attempts: 2,
      });
      return {
        fails: (attempts: number) =>
          database.db.updateTable('verification_session').set({ attempts }).where('id', '=', id).execute(),
        ends: (to: 'FAILED' | 'ISSUED') =>
          transition(database.db, { table: 'verification_session', id, from: 'ISSUING', to }),
      };
    };
    const [refused, issued] = [await add(), await add()];
    expect((await ready()).status).toBe(200);
    await refused.fails(3);
    expect(await ready()).toMatchObject(failing('jobs'));
    await refused.ends('FAILED');
    expect((await ready()).status).toBe(200);
    await issued.fails(3);
    expect((await ready()).status).toBe(503);
    await issued.ends('ISSUED');
    expect((await ready()).status).toBe(200);
  });

  it('fails while a signed operation is not broadcast for a minute', async () => {
    const id = randomUUID();
    await sql`
      insert into operation (id, wallet, idempotency_key, request_hash, kind, state, message,
        last_valid_block_height, draft_slot, created_at, expires_at)
      values (${id}, ${chain.program}, 'key', 'hash', 'ISSUE', 'DRAFT', ${new Uint8Array(1)}, 1, 1, 1, 1)
    `.execute(database.db);
    await sql`
      update operation set state = 'QUEUED', signature = 'x', signed_at = ${BigInt(clock.now())} where id = ${id}
    `.execute(database.db);
    clock.pass(60);
    expect((await ready()).status).toBe(200);
    clock.pass(1);
    expect(await ready()).toMatchObject(failing('jobs'));
    await sql`update operation set state = 'SUBMITTED' where id = ${id}`.execute(database.db);
    expect((await ready()).status).toBe(200);
  });

  it('answers the documented shape, with the code and the request id, and no secret', async () => {
    chain.net.pause('unreachable');
    const { body, requestId } = await ready();
    expect(z.decode(failingResponse, body as never)).toEqual({
      status: 'failing',
      checks: { database: true, chain: false, index: false, jobs: true },
      error: { code: 'UNAVAILABLE', message: 'Not ready: chain, index.', requestId },
    });
  });

  it('fails when the database does, and liveness goes on', async () => {
    const closed = await openTestDatabase();
    const other = await testService(chain, { clock, database: closed });
    await closed.close();
    expect(await ready(other)).toMatchObject(failing('database', 'index', 'jobs'));
    const live = await other.app.request('/api/health/live');
    expect(live.status).toBe(200);
    expect(await live.json()).toEqual({ status: 'ok' });
    await other.close();
  });
});
