/** Counts work that runs in real time, so that a test advances its fake clock only while no work runs. */

/** A count of unfinished work. */
export type UnderWay = ReturnType<typeof startCount>;

/** Counts the work that it is given, and all calls of WebCrypto, which computes on its own threads. */
export function startCount() {
  let count = 0;
  const counted = async <T>(work: () => Promise<T>): Promise<T> => {
    count += 1;
    try {
      return await work();
    } finally {
      count -= 1;
    }
  };
  type Methods = Record<string, (...parameters: unknown[]) => Promise<unknown>>;
  const own = crypto.subtle as unknown as Methods;
  const methods = Object.getPrototypeOf(own) as Methods;
  const names = Object.getOwnPropertyNames(methods).filter((name) => name !== 'constructor');
  for (const name of names)
    own[name] = (...parameters) => counted(() => methods[name]!.apply(own, parameters));
  return {
    get count() {
      return count;
    },
    /** Counts work until it settles. */
    counted,
    /** Stops counting calls of WebCrypto. */
    end: () => {
      for (const name of names) delete own[name];
    },
  };
}

/** Waits until no work has run for a few turns of the event loop, because the end of one task may start another. */
export async function untilIdle(underWay: Pick<UnderWay, 'count'>): Promise<void> {
  for (let idle = 0; idle < 6; ) {
    await new Promise((resolve) => setImmediate(resolve));
    idle = underWay.count === 0 ? idle + 1 : 0;
  }
}
