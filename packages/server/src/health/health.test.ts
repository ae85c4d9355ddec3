import { failingResponse } from '@service/contract';
import { manifestDigest } from '@service/protocol/eligibility';
import { deployByTransactions, PASS_FEE, setCircuit } from '@service/server/test-service';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { failing } from '../../test/support/failing-dependency.ts';
import { serviceOnChain, type TestService } from '../../test/support/service-on-chain.ts';
import { openTestDatabase } from '../../test/support/test-database.ts';

const on = serviceOnChain({ bare: true });

async function ready(of: Pick<TestService, 'app'> = on.service) {
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
    await on.service.follow();
    const missing = ['program', 'governance', 'circuit', 'passFee'];
    expect(await ready()).toMatchObject({ status: 200, body: { status: 'waiting', missing } });
  });

  it('names the parts that are still missing', async () => {
    await deployByTransactions(on.chain.net, on.chain.keys, on.chain.artifacts);
    await on.chain.setPassFee(null);
    await on.service.follow();
    expect((await ready()).body).toEqual({ status: 'waiting', missing: ['passFee'], attention: [] });
    await on.chain.setPassFee(PASS_FEE);
    await on.service.follow();
    expect(await ready()).toMatchObject({ status: 200, body: { status: 'ok' } });
  });

  it('waits for the circuit of its artifacts', async () => {
    const other = await on.another({ artifactsDigest: '0'.repeat(64) });
    expect((await ready(other)).body).toEqual({ status: 'waiting', missing: ['circuit'], attention: [] });
    await other.close();
  });

  it('waits, and logs what to do, while the circuit has another key than the manifest', async () => {
    const { artifacts } = on.chain;
    const manifest = { ...artifacts.manifest, circuit: 'another-key' };
    const artifactsDigest = await manifestDigest(manifest);
    // The last point of the key again, in place of the one before it.
    const verifyingKey = Uint8Array.from(artifacts.key).copyWithin(448, 512);
    const id = manifest.circuit;
    await setCircuit(on.chain, { id, artifactsDigest, graceSeconds: 3_600n, verifyingKey });
    await on.service.follow();
    const other = await on.another({ manifest, artifactsDigest });
    for (const _ of ['first', 'second'])
      expect((await ready(other)).body).toEqual({ status: 'waiting', missing: ['circuit'], attention: [] });
    const logged = other.log.filter((line) =>
      line.includes('another-key has another verifying key on chain'),
    );
    expect(logged).toHaveLength(1);
    await other.close();
  });

  it('fails when the node reports that it is unhealthy', async () => {
    const error = { code: -32005, message: 'Node is behind by 42 slots', data: { numSlotsBehind: 42 } };
    on.rpc.after = (method, response) =>
      method === 'getHealth' ? { jsonrpc: '2.0', id: '1', error } : response;
    expect(await ready()).toMatchObject(failing('chain', 'index'));
  });

  it('fails when the chain never responds', async () => {
    on.rpc.before = () => new Promise(() => undefined);
    expect(await ready()).toMatchObject(failing('chain', 'index'));
  });

  it('fails while the clock of the machine is more than 2 seconds from the database’s', async () => {
    let skew = 2_000;
    const clock = { ...on.database.clock, skewMs: () => skew };
    const other = await on.another({ database: { ...on.database, clock } });
    expect((await ready(other)).status).toBe(200);
    for (skew of [2_001, -100_000]) expect(await ready(other)).toMatchObject(failing('clock'));
    await other.close();
  });

  it('fails as soon as the process drains, while every check passes and everything else works', async () => {
    const other = await on.another();
    expect((await ready(other)).status).toBe(200);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let isOver = false;
    const drained = other.drain({ ms: 15_000 }).then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(14_999);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await drained;
    vi.useRealTimers();
    const message = 'The process is shutting down. Use another one.';
    const { body } = failing();
    expect(await ready(other)).toMatchObject({
      status: 503,
      body: { ...body, error: { code: 'UNAVAILABLE', message } },
    });
    expect((await other.app.request('/api/network')).status).toBe(200);
    // Background work goes on.
    await other.follow();
    expect(other.service.signal.aborted).toBe(false);
    await other.close();
  });

  it('does not answer a draining process’s visitors with what it said before', async () => {
    const other = await on.another({ sharedReadMs: 60_000 });
    expect((await ready(other)).status).toBe(200);
    await other.drain({ ms: 0 });
    expect((await ready(other)).status).toBe(503);
    await other.close();
  });

  it('returns the documented shape, with the code and the request id, and no secret', async () => {
    on.chain.net.pause('unreachable');
    const { body, requestId } = await ready();
    expect(z.decode(failingResponse, body as never)).toEqual({
      status: 'failing',
      checks: { database: true, chain: false, index: false, jobs: true, clock: true },
      error: { code: 'UNAVAILABLE', message: 'These checks failed: chain, index. Retry later.', requestId },
    });
  });

  it('fails when the database fails, while liveness succeeds', async () => {
    const closed = await openTestDatabase();
    const other = await on.another({ database: closed });
    await closed.close();
    expect(await ready(other)).toMatchObject(failing('database', 'index'));
    const live = await other.app.request('/api/health/live');
    expect(live.status).toBe(200);
    expect(await live.json()).toEqual({ status: 'ok' });
    await other.close();
  });
});
