import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { resultOf } from '../../test/support/rpc-around.ts';
import { serviceOnChain } from '../../test/support/service-on-chain.ts';
import { createOutageLog } from './outage-log.ts';

const refused = () =>
  Object.assign(new Error('connect'), { code: 'ECONNREFUSED', cause: new Error('inner') });
const parsed = (lines: readonly string[]) => lines.map((line) => JSON.parse(line) as Record<string, unknown>);

describe('the log of outages', () => {
  const setUp = () => {
    const lines: string[] = [];
    const clock = { ms: 1_000_000, now: () => clock.ms };
    const log = pino({ base: null }, { write: (line: string) => void lines.push(line) });
    return { lines, clock, outages: createOutageLog(log, clock) };
  };

  it('has one line at the start without a stack, and one at the end', () => {
    const { lines, clock, outages } = setUp();
    outages.worked('indexer');
    for (let poll = 0; poll < 100; poll += 1) outages.failed('indexer', refused());
    expect(parsed(lines)).toMatchObject([{ level: 50, error: { message: 'connect', code: 'ECONNREFUSED' } }]);
    expect(lines.join()).not.toContain('stack');
    clock.ms += 90_000;
    outages.worked('indexer');
    outages.worked('indexer');
    expect(parsed(lines.slice(1))).toMatchObject([
      { level: 30, msg: 'indexer works again', failures: 100, seconds: 90 },
    ]);
    outages.failed('indexer', refused());
    expect(lines).toHaveLength(3);
  });

  it('keeps apart the outages of different work', () => {
    const { lines, outages } = setUp();
    outages.failed('indexer', refused());
    outages.failed('worker', refused());
    outages.worked('worker');
    expect(parsed(lines).map(({ msg }) => String(msg).split(' ')[0])).toEqual([
      'indexer',
      'worker',
      'worker',
    ]);
  });

  it('logs a defect each time with its stack, even during an outage', () => {
    const { lines, outages } = setUp();
    outages.failed('indexer', refused());
    for (let poll = 0; poll < 2; poll += 1) outages.failed('indexer', new RangeError('a defect'));
    const defect = { error: { name: 'RangeError', stack: expect.stringContaining('outage-log.test') } };
    expect(parsed(lines).slice(1)).toMatchObject([defect, defect]);
  });
});

describe('a service whose RPC does not respond', () => {
  const on = serviceOnChain();
  const healthy = { status: 200 };
  const ready = () => on.service.app.request('/api/health/ready');
  const failures = () => parsed(on.service.log).filter(({ level }) => level === 50);

  it('logs once that each kind of work stopped, and once that it works again', async () => {
    await on.service.start();
    const poll = async () => {
      on.chain.net.finalize();
      await on.service.tick().catch(() => undefined);
      return ready();
    };
    expect(await poll()).toMatchObject(healthy);
    on.service.log.length = 0;

    on.rpc.before = () => {
      throw new TypeError('fetch failed', { cause: refused() });
    };
    for (let round = 0; round < 20; round += 1) expect((await poll()).status).toBe(503);
    const started = failures().map(({ msg }) => String(msg).split(' has no connection')[0]);
    expect(started.sort()).toEqual(['indexer', 'readiness: the chain check']);
    expect(on.service.log.join()).not.toContain('"stack"');

    on.rpc.before = () => undefined;
    expect(await poll()).toMatchObject(healthy);
    const ended = parsed(on.service.log).filter(({ failures: count }) => count !== undefined);
    expect(ended.map(({ msg }) => msg).sort()).toEqual([
      'indexer works again',
      'readiness: the chain check works again',
    ]);
    expect(ended[0]).toMatchObject({ failures: 20 });
  });

  it('logs a wrong answer once, as an outage', async () => {
    on.service.log.length = 0;
    on.rpc.after = () => resultOf({ nonsense: true });
    on.chain.net.finalize();
    for (let round = 0; round < 2; round += 1) await on.service.tick().catch(() => undefined);
    const [failure, ...others] = failures();
    expect(others).toEqual([]);
    expect(JSON.stringify(failure)).toContain('is not a result of this method');
    expect(JSON.stringify(failure)).not.toContain('"stack"');
  });
});
