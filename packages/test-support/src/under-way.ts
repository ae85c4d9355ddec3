/** What is under way in real time, so that pretended time passes only while nothing is. */

/** A count of work that has not come to its end. */
export interface UnderWay {
  readonly count: number;
  /** Counts work for as long as it takes. */
  counted<T>(work: () => Promise<T>): Promise<T>;
  /** Counts WebCrypto no more. */
  end(): void;
}

/** Counts what it is told of, and all of WebCrypto: digests and signatures are made on threads of their own. */
export function startCount(): UnderWay {
  let count = 0;
  const counted = async <T>(work: () => Promise<T>): Promise<T> => {
    count += 1;
    try {
      return await work();
    } finally {
      count -= 1;
    }
  };
  const methods = Object.getPrototypeOf(crypto.subtle) as Record<string, unknown>;
  const own = crypto.subtle as unknown as Record<string, unknown>;
  const names = Object.getOwnPropertyNames(methods).filter(
    (name) => name !== 'constructor' && typeof methods[name] === 'function',
  );
  for (const name of names) {
    const method = methods[name] as (...parameters: unknown[]) => Promise<unknown>;
    own[name] = (...parameters: unknown[]) => counted(() => method.apply(crypto.subtle, parameters));
  }
  return {
    get count() {
      return count;
    },
    counted,
    end: () => {
      for (const name of names) delete own[name];
    },
  };
}

/** Waits until nothing has been under way for a few turns of the event loop: what follows an answer may start more. */
export async function untilIdle(underWay: Pick<UnderWay, 'count'>): Promise<void> {
  for (let idle = 0; idle < 6; ) {
    await new Promise((resolve) => setImmediate(resolve));
    idle = underWay.count === 0 ? idle + 1 : 0;
  }
}
