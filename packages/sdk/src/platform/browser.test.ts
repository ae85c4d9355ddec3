import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { canStartWorkers, readLocalFile } from './browser.ts';

/** A Worker that does what a test says as soon as somebody listens. */
function stubWorker(behave: (listeners: Map<string, () => void>) => void) {
  const terminate = vi.fn();
  vi.stubGlobal(
    'Worker',
    class {
      readonly listeners = new Map<string, () => void>();
      readonly terminate = terminate;
      addEventListener(type: string, listener: () => void) {
        this.listeners.set(type, listener);
        if (this.listeners.size === 2) behave(this.listeners);
      }
    },
  );
  return terminate;
}

describe('canStartWorkers', () => {
  const revoke = vi.spyOn(URL, 'revokeObjectURL');
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    revoke.mockClear();
  });

  it('is true when a worker from a blob answers, and cleans up', async () => {
    const terminate = stubWorker((listeners) => listeners.get('message')?.());
    expect(await canStartWorkers()).toBe(true);
    expect(terminate).toHaveBeenCalledOnce();
    expect(revoke).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is false when the policy refuses it by an event', async () => {
    const terminate = stubWorker((listeners) => listeners.get('error')?.());
    expect(await canStartWorkers()).toBe(false);
    expect(terminate).toHaveBeenCalledOnce();
  });

  it('is false when the policy refuses it by an exception', async () => {
    vi.stubGlobal(
      'Worker',
      class {
        constructor() {
          throw new Error('SecurityError');
        }
      },
    );
    expect(await canStartWorkers()).toBe(false);
    expect(revoke).toHaveBeenCalledOnce();
  });

  it('is false when it never answers', async () => {
    const terminate = stubWorker(() => {});
    const answer = canStartWorkers();
    await vi.advanceTimersByTimeAsync(2000);
    expect(await answer).toBe(false);
    expect(terminate).toHaveBeenCalledOnce();
  });

  it('is false where there are none', async () => {
    vi.stubGlobal('Worker', undefined);
    expect(await canStartWorkers()).toBe(false);
  });
});

describe('readLocalFile', () => {
  it('says what to use instead', async () => {
    const { signal } = new AbortController();
    await expect(readLocalFile({ directory: '.', name: 'a', limit: 1, signal })).rejects.toThrow('url');
  });
});
