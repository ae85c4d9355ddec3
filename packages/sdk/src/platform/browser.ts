/** How long a worker may take to say its first word. It has nothing to load. */
const WORKER_TIMEOUT_MS = 2000;

/**
 * Whether workers can be started from a blob, which is how the prover starts its own. A content security policy
 * without `worker-src blob:` forbids it, and the prover would wait for ever for workers that never answer.
 */
export async function canStartWorkers(): Promise<boolean> {
  if (typeof Worker === 'undefined' || typeof URL.createObjectURL !== 'function') return false;
  const url = URL.createObjectURL(new Blob(['postMessage(0)'], { type: 'text/javascript' }));
  let worker: Worker | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const probe = new Worker(url);
    worker = probe;
    return await new Promise<boolean>((resolve) => {
      probe.addEventListener('message', () => resolve(true), { once: true });
      probe.addEventListener('error', () => resolve(false), { once: true });
      timer = setTimeout(() => resolve(false), WORKER_TIMEOUT_MS);
    });
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
    worker?.terminate();
    URL.revokeObjectURL(url);
  }
}

/** There are no local files in a browser. */
export async function readLocalFile(_: {
  readonly directory: string;
  readonly name: string;
  readonly limit: number;
  readonly signal: AbortSignal;
}): Promise<Uint8Array> {
  throw new Error('local files can be read in Node only: give artifactsFrom a url instead');
}
