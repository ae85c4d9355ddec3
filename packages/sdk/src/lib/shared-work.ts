import { throwIfAborted, untilAborted } from './clock.ts';

interface Work<T, P> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  /** One for each caller that waits. */
  readonly listeners: Set<(progress: P) => void>;
}

/** Work that several callers wait for. It is aborted as soon as nobody waits for it. */
export class SharedWork<K, T, P = never> {
  readonly #underWay = new Map<K, Work<T, P>>();

  /** Waits for the work under a key, and starts it if nobody waits for it yet. Throws ServiceError ABORTED, and its errors. */
  async join(
    key: K,
    { signal, what, onProgress }: JoinOptions<P>,
    run: (signal: AbortSignal, report: (progress: P) => void) => Promise<T>,
  ): Promise<T> {
    throwIfAborted(signal, what);
    const work = this.#underWay.get(key) ?? this.#start(key, run);
    const listener = (progress: P) => onProgress?.(progress);
    work.listeners.add(listener);
    // At the abort itself: the next call must not join work that is being aborted.
    const leave = () => {
      if (!work.listeners.delete(listener) || work.listeners.size > 0) return;
      if (this.#underWay.get(key) === work) this.#underWay.delete(key);
      work.controller.abort();
    };
    signal?.addEventListener('abort', leave, { once: true });
    try {
      return await untilAborted(work.result, signal, what);
    } finally {
      signal?.removeEventListener('abort', leave);
      leave();
    }
  }

  #start(key: K, run: (signal: AbortSignal, report: (progress: P) => void) => Promise<T>): Work<T, P> {
    const controller = new AbortController();
    const listeners = new Set<(progress: P) => void>();
    const result = run(controller.signal, (progress) => {
      for (const listener of listeners) listener(progress);
    });
    const work = { result, controller, listeners };
    this.#underWay.set(key, work);
    return work;
  }
}

/** How one caller waits. */
export interface JoinOptions<P> {
  readonly signal: AbortSignal | undefined;
  /** What the work does, for messages. */
  readonly what: string;
  readonly onProgress?: (progress: P) => void;
}
