import { beforeEach, expect, it, vi } from 'vitest';
import { SharedWork } from './shared-work.ts';

let work: SharedWork<string, string, number>;
let runs: { signal: AbortSignal; report: (progress: number) => void; end: (result: string) => void }[];

beforeEach(() => {
  work = new SharedWork();
  runs = [];
});

const join = (signal?: AbortSignal, onProgress?: (progress: number) => void) =>
  work.join('key', { signal, what: 'it', ...(onProgress ? { onProgress } : {}) }, (ending, report) => {
    return new Promise((resolve) => runs.push({ signal: ending, report, end: resolve }));
  });

it('runs once for all callers, and reports to those that still wait', async () => {
  const [left, stayed] = [vi.fn(), vi.fn()];
  const controller = new AbortController();
  const leaving = join(controller.signal, left);
  const staying = join(undefined, stayed);
  runs[0]!.report(0.5);
  controller.abort();
  runs[0]!.report(0.9);
  await expect(leaving).rejects.toMatchObject({ code: 'ABORTED' });
  expect(runs[0]!.signal.aborted).toBe(false);
  runs[0]!.end('done');
  expect(await staying).toBe('done');
  expect(runs).toHaveLength(1);
  expect([left.mock.calls, stayed.mock.calls]).toEqual([[[0.5]], [[0.5], [0.9]]]);
});

it('is aborted by its last caller, and a call in the same tick starts again', async () => {
  const controllers = [new AbortController(), new AbortController()];
  const aborted = controllers.map(({ signal }) =>
    expect(join(signal)).rejects.toMatchObject({ code: 'ABORTED' }),
  );
  for (const controller of controllers) controller.abort();
  const next = join();
  expect(runs.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  await Promise.all(aborted);
  runs[1]!.end('second');
  expect(await next).toBe('second');
});

it('starts again after it has ended, and throws what it throws', async () => {
  const first = join();
  runs[0]!.end('first');
  expect(await first).toBe('first');
  const failing = work.join('key', { signal: undefined, what: 'it' }, () =>
    Promise.reject(new Error('broken')),
  );
  await expect(failing).rejects.toThrow('broken');
  const again = join();
  runs[1]!.end('again');
  expect(await again).toBe('again');
});

it('does not start for a caller that has aborted', async () => {
  await expect(join(AbortSignal.abort())).rejects.toMatchObject({ code: 'ABORTED' });
  expect(runs).toHaveLength(0);
});
