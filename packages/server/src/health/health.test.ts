import { failingResponse } from '@service/contract';
import { createSolanaRpcFromTransport } from '@solana/kit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { StillClock, setUp, startChain, type TestChain } from '../../test/support/chain-index/chain.ts';
import { failing } from '../../test/support/failing-dependency.ts';
import { type TestService, testService } from '../../test/support/read-service.ts';
import { openTestDatabase } from '../../test/support/test-database.ts';
import type { Database } from '../database/open.ts';

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

describe('GET /api/health/ready', () => {
  it('fails before the first reading of the index', async () => {
    expect(await ready()).toMatchObject(failing('index'));
  });

  it('waits until governance has set up every part', async () => {
    await service.follow();
    expect(await ready()).toMatchObject({
      status: 200,
      body: { status: 'waiting', missing: ['program', 'governance', 'circuit', 'passFee'] },
    });
  });

  it('names the parts that are still missing', async () => {
    await setUp(chain, { passFee: null });
    await service.follow();
    expect((await ready()).body).toEqual({ status: 'waiting', missing: ['passFee'] });
    await chain.setPassFee(50_000n);
    await service.follow();
    expect(await ready()).toMatchObject({ status: 200, body: { status: 'ok' } });
  });

  it('waits for the circuit of its artifacts', async () => {
    const other = await testService(chain, { clock, database, artifactsDigest: '0'.repeat(64) });
    expect((await ready(other)).body).toEqual({ status: 'waiting', missing: ['circuit'] });
    await other.close();
  });

  it('fails when the node reports that it is unhealthy', async () => {
    const rpc = createSolanaRpcFromTransport((async (request: { payload: unknown }) => {
      const { method, id } = request.payload as { method: string; id: string };
      const error = { code: -32005, message: 'Node is behind by 42 slots', data: { numSlotsBehind: 42 } };
      return method === 'getHealth' ? { jsonrpc: '2.0', id, error } : chain.net.transport(request);
    }) as typeof chain.net.transport);
    const other = await testService(chain, { clock, database, rpc });
    expect(await ready(other)).toMatchObject(failing('chain', 'index'));
    await other.close();
  });

  it('fails when the chain never responds', async () => {
    const rpc = createSolanaRpcFromTransport(
      (() => new Promise(() => undefined)) as typeof chain.net.transport,
    );
    const other = await testService(chain, { clock, database, rpc });
    expect(await ready(other)).toMatchObject(failing('chain', 'index'));
    await other.close();
  });

  it('returns the documented shape, with the code and the request id, and no secret', async () => {
    chain.net.pause('unreachable');
    const { body, requestId } = await ready();
    expect(z.decode(failingResponse, body as never)).toEqual({
      status: 'failing',
      checks: { database: true, chain: false, index: false, jobs: true },
      error: { code: 'UNAVAILABLE', message: 'Not ready: chain, index.', requestId },
    });
  });

  it('fails when the database fails, while liveness succeeds', async () => {
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
