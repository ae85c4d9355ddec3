import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { artifactsDirectory } from '@service/circuit';
import { canonicalJson, manifestDigest } from '@service/protocol/eligibility';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { listen } from '../../../test/support/loopback.ts';
import { artifactBytes, artifacts } from '../../../test/support/prover/eligible.ts';
import { serviceError } from '../../../test/support/service-error.ts';
import { ARTIFACT_STALL_MS, ARTIFACT_TOTAL_MS } from '../bounds.ts';
import type { ArtifactSource } from './artifacts-from.ts';

const KINDS = ['wasm', 'zkey', 'vkey', 'key', 'compactKey'] as const;
const nameOf = (kind: (typeof KINDS)[number]) => artifacts.manifest.files[kind]!.name;
const NAMES = ['manifest.json', ...KINDS.map(nameOf)];
/** The files of the SDK's own prover, and those of snarkjs. */
const OWN_KINDS = ['compactKey', 'vkey', 'key'] as const;
const SNARKJS_KINDS = ['wasm', 'zkey', 'vkey', 'key'] as const;
const FETCHED = ['manifest.json', ...OWN_KINDS.map(nameOf)];
const FETCHED_FOR_SNARKJS = ['manifest.json', ...SNARKJS_KINDS.map(nameOf)];
const { digest } = artifacts;
const invalid = serviceError('ARTIFACTS_INVALID');

const files = (change: object) => ({ files: { ...artifacts.manifest.files, ...change } });
const committed = (name: string) => readFile(path.join(artifactsDirectory, name));

let artifactsFrom: typeof import('./artifacts-from.ts')['artifactsFrom'];
/** Loads a new module, because it keeps checked artifacts. */
async function loadModule() {
  vi.resetModules();
  ({ artifactsFrom } = await import('./artifacts-from.ts'));
}
beforeEach(loadModule);

/** Changes one bit in the middle, which keeps the size. */
function flipBit(bytes: Uint8Array): Uint8Array {
  const middle = bytes.length >> 1;
  return Uint8Array.from(bytes).fill(bytes[middle]! ^ 1, middle, middle + 1);
}

/** Loads, and keeps megabytes out of the report of a failed test. */
const load = async (source: ArtifactSource, forSnarkjs = false) => (await source.load({ forSnarkjs })).digest;
/** Whether a file is one that snarkjs alone needs. */
const isOfSnarkjs = (kind: string) => kind === 'wasm' || kind === 'zkey';

const inMemory = (changes: object = {}, pinned = digest) =>
  artifactsFrom({ digest: pinned, bytes: { ...artifactBytes, ...changes } });

async function withPinnedManifest(changes: object) {
  const manifest = { ...artifacts.manifest, ...changes };
  const bytes = new TextEncoder().encode(canonicalJson(manifest));
  return inMemory({ manifest: bytes }, await manifestDigest(manifest));
}

/** Compares megabytes faster than `toEqual` does. */
function expectSame(given: Uint8Array | undefined, committed: Uint8Array) {
  expect(given && Buffer.compare(given, committed)).toBe(0);
}

function expectCommitted(loaded: Awaited<ReturnType<ArtifactSource['load']>>, forSnarkjs = false) {
  expect(loaded.manifest).toEqual(artifacts.manifest);
  const wanted: readonly (typeof KINDS)[number][] = forSnarkjs ? SNARKJS_KINDS : OWN_KINDS;
  expect(KINDS.filter((kind) => loaded[kind])).toEqual(KINDS.filter((kind) => wanted.includes(kind)));
  for (const kind of wanted) expectSame(loaded[kind], artifacts[kind]);
}

describe('artifacts in memory', () => {
  it('are returned unchanged', async () => {
    const loaded = await inMemory().load();
    expect(loaded.digest).toBe(digest);
    expectCommitted(loaded);
    expectCommitted(await inMemory().load({ forSnarkjs: true }), true);
  });

  it('are not blamed if the platform cannot compute a digest', async () => {
    const digesting = vi.spyOn(crypto.subtle, 'digest').mockRejectedValue(new TypeError('no digest'));
    try {
      await expect(inMemory().load()).rejects.toThrow(serviceError('UNEXPECTED_ERROR', { retryable: false }));
    } finally {
      digesting.mockRestore();
    }
  });

  it('are blamed if their bytes cannot be read', async () => {
    const detached = Uint8Array.from(artifacts.key);
    const source = inMemory({ key: detached });
    structuredClone(detached, { transfer: [detached.buffer] });
    await expect(source.load()).rejects.toThrow(invalid);
  });

  it('may lack what the prover does not use that makes the proofs', async () => {
    const own = await inMemory({ wasm: undefined, zkey: undefined }).load();
    expectSame(own.compactKey, artifacts.compactKey);
    const native = await inMemory({ wasm: undefined, compactKey: undefined }).load({ forNative: true });
    expectSame(native.zkey, artifacts.zkey);
    const error = {
      code: 'ARTIFACTS_INVALID',
      message: `${nameOf('wasm')} is not among the bytes. Pass it.`,
    };
    await expect(inMemory({ wasm: undefined }).load({ forSnarkjs: true })).rejects.toMatchObject(error);
  });

  it('are copied before they are checked', async () => {
    // Buffers too, because their slice copies nothing.
    for (const copy of [Uint8Array.from(artifacts.key), Buffer.from(artifacts.key)]) {
      const source = inMemory({ key: copy });
      const loading = source.load();
      copy.fill(0);
      await expect(loading).rejects.toThrow(invalid);
      copy.set(artifacts.key);
      const loaded = await source.load();
      copy.fill(0);
      expectSame(loaded.key, artifacts.key);
      expectSame((await source.load()).key, artifacts.key);
      await loadModule();
    }
  });

  it('are returned as separate copies', async () => {
    const source = inMemory();
    // For a call that waited for the load, and for a later call.
    for (const _ of ['waited', 'later']) {
      const given = await source.load();
      for (const kind of OWN_KINDS) given[kind]!.fill(0);
      (given.manifest as { circuit: string }).circuit = 'another';
    }
    expectCommitted(await source.load());
  });

  it.each<[string, object]>([
    ['protocol', { protocol: 'plonk' }],
    ['curve', { curve: 'bls12381' }],
    ['circuit', { circuit: 'x'.repeat(33) }],
    ['publicSignals', { publicSignals: [] }],
    ['files.zkey.size', files({ zkey: { name: 'a', size: 2 ** 31, sha256: digest } })],
    ['files.wasm.name', files({ wasm: { name: '../a', size: 1, sha256: digest } })],
  ])('are rejected for another %s, even if pinned', async (field, change) => {
    const cause = expect.objectContaining({ message: expect.stringContaining(field) });
    const source = await withPinnedManifest(change);
    await expect(source.load()).rejects.toThrow(serviceError('ARTIFACTS_INVALID', { cause }));
  });

  it('are rejected if their manifest has no digest', async () => {
    const manifest = new TextEncoder().encode(JSON.stringify({ ...artifacts.manifest, extra: null }));
    await expect(inMemory({ manifest }).load()).rejects.toThrow(invalid);
  });

  it('may have no compact key', async () => {
    const loaded = await inMemory({ compactKey: undefined }).load();
    expect(loaded.compactKey).toBeUndefined();
    expectSame(loaded.zkey, artifacts.zkey);
  });

  it('without a compact key do not replace those of another source', async () => {
    await inMemory({ compactKey: undefined }).load();
    const loaded = await inMemory().load();
    expectSame(loaded.compactKey, artifacts.compactKey);
  });

  it.each(['manifest', ...KINDS] as const)('are rejected for one bit of %s', async (kind) => {
    const source = inMemory({ [kind]: flipBit(artifactBytes[kind]) });
    await expect(load(source, isOfSnarkjs(kind))).rejects.toThrow(invalid);
  });

  it.each(KINDS)('are rejected for a byte more or less of %s', async (kind) => {
    const whole = artifacts[kind];
    for (const changed of [whole.subarray(0, -1), Uint8Array.from([...whole.subarray(0, 8), ...whole])]) {
      await expect(load(inMemory({ [kind]: changed }), isOfSnarkjs(kind))).rejects.toThrow(invalid);
    }
  });

  it('are rejected if another digest is pinned', async () => {
    const other = digest.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
    await expect(load(inMemory({}, other))).rejects.toThrow(`${other} is pinned`);
  });

  it('are rejected for another kind of circuit, even if pinned', async () => {
    const source = await withPinnedManifest({ publicSignals: ['contextHash', 'nullifier'] });
    await expect(load(source)).rejects.toThrow('one public signal');
  });

  it.each(['', 'abc', digest.toUpperCase(), `${digest}0`, `../${digest.slice(3)}`])(
    'cannot be pinned by %j',
    (text) => {
      const refused = serviceError('INVALID_ARGUMENT', { context: { field: 'digest' } });
      expect(() => inMemory({}, text)).toThrow(refused);
    },
  );
});

describe('artifacts in a directory', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'artifacts-'));
    await cp(artifactsDirectory, directory, { recursive: true });
  });
  afterAll(() => rm(directory, { recursive: true }));

  it('are read', async () => {
    expect((await artifactsFrom({ digest, files: directory }).load()).key).toEqual(artifacts.key);
  });

  it.each(NAMES)('are rejected if %s is changed, too long or missing', async (name) => {
    const file = path.join(directory, name);
    const original = await readFile(file);
    const source = artifactsFrom({ digest, files: directory });
    const forSnarkjs = !FETCHED.includes(name);
    try {
      for (const changed of [flipBit(original), Buffer.concat([original, Buffer.alloc(64 * 1024)])]) {
        await writeFile(file, changed);
        await expect(load(source, forSnarkjs)).rejects.toThrow(invalid);
      }
      await rm(file);
      await expect(load(source, forSnarkjs)).rejects.toThrow(invalid);
    } finally {
      await writeFile(file, original);
    }
    expect(await load(source, forSnarkjs)).toBe(digest);
  });
});

describe('artifacts at a URL', () => {
  const requests: string[] = [];
  /** Responses other than the normal one, by the name of the file. */
  const responses = new Map<string, (response: ServerResponse) => void>();
  const serve = (name: string, bytes: Uint8Array) => responses.set(name, (response) => response.end(bytes));
  let server: Awaited<ReturnType<typeof listen>>;
  let url: string;

  beforeAll(async () => {
    server = await listen(async (request, response) => {
      const [, folder, pinned, name = ''] = request.url!.split('/');
      requests.push(name);
      const respond = responses.get(name);
      if (respond) return respond(response);
      const isServed = folder === 'artifacts' && pinned === digest && NAMES.includes(name);
      if (isServed) response.end(await committed(name));
      else response.writeHead(404).end();
    });
    url = `${server.origin}/artifacts`;
  });
  beforeEach(() => {
    requests.length = 0;
    responses.clear();
  });
  afterAll(() => server.close());

  it('are fetched from {url}/{digest}/{name}, with or without a slash at the end', async () => {
    const source = artifactsFrom({ digest, url: new URL(`${url}/`) });
    const fractions: number[] = [];
    const loaded = await source.load({ onProgress: (fraction) => fractions.push(fraction) });
    expect(Buffer.compare(loaded.compactKey!, artifacts.compactKey)).toBe(0);
    expect([...requests].sort()).toEqual([...FETCHED].sort());
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    expect(fractions.at(-1)).toBe(1);
  });

  it("are those of snarkjs if it must prove, or the SDK's own prover does not fit the manifest", async () => {
    const forSnarkjs = await artifactsFrom({ digest, url }).load({ forSnarkjs: true });
    expect(Buffer.compare(forSnarkjs.wasm!, artifacts.wasm)).toBe(0);
    expect(forSnarkjs.compactKey).toBeUndefined();
    expect([...requests].sort()).toEqual([...FETCHED_FOR_SNARKJS].sort());
    const { compactKey, ...files } = artifacts.manifest.files;
    const otherWasm = { ...files.wasm, sha256: files.vkey.sha256 };
    for (const changed of [files, { ...files, compactKey, wasm: otherWasm }]) {
      const manifest = { ...artifacts.manifest, files: changed };
      const pinned = await manifestDigest(manifest);
      requests.length = 0;
      const fetch = async (input: RequestInfo | URL) => {
        const name = String(input).split('/').at(-1)!;
        requests.push(name);
        if (name === 'manifest.json') return new Response(canonicalJson(manifest));
        return new Response(
          name === files.wasm.name ? artifacts.wasm.slice() : (await committed(name)).slice(),
        );
      };
      const loading = artifactsFrom({ digest: pinned, url, fetch }).load();
      if (changed === files) expect((await loading).compactKey).toBeUndefined();
      // The other calculator is requested, and the bytes are not those of the manifest.
      else await expect(loading).rejects.toThrow(invalid);
      expect([...requests].sort()).toEqual([...FETCHED_FOR_SNARKJS].sort());
    }
  });

  it.each(FETCHED)('are rejected for one bit of %s', async (name) => {
    serve(name, flipBit(await committed(name)));
    await expect(load(artifactsFrom({ digest, url }))).rejects.toThrow(invalid);
  });

  it('are not fetched if the manifest is not the pinned one', async () => {
    serve('manifest.json', new TextEncoder().encode('{}'));
    await expect(load(artifactsFrom({ digest, url }))).rejects.toThrow(invalid);
    expect(requests).toEqual(['manifest.json']);
  });

  it.each(FETCHED)('are read only up to a limit if %s never ends', async (name) => {
    let sent = 0;
    function* endless() {
      for (; ; sent += 64 * 1024) yield Buffer.alloc(64 * 1024);
    }
    const closed = new Promise<void>((resolve) => {
      responses.set(name, (response) => Readable.from(endless()).pipe(response).on('close', resolve));
    });
    await expect(load(artifactsFrom({ digest, url }))).rejects.toThrow('larger than');
    await closed;
    expect(sent).toBeLessThan(16 * 1024 * 1024);
  });

  it('time out if they stop arriving', async () => {
    responses.set(nameOf('compactKey'), (response) => response.write(artifacts.compactKey.subarray(0, 1000)));
    const source = artifactsFrom({ digest, url, stallTimeoutMs: 200 });
    await expect(load(source)).rejects.toThrow(serviceError('TIMEOUT', { retryable: true }));
  });

  it('time out also if signals have no reason, as in React Native', async () => {
    const reason = vi.spyOn(AbortSignal.prototype, 'reason', 'get').mockReturnValue(undefined);
    try {
      const fetch = () => new Promise<never>(() => {});
      const source = artifactsFrom({ digest, url, fetch, stallTimeoutMs: 5 });
      await expect(load(source)).rejects.toThrow(serviceError('TIMEOUT', { retryable: true }));
    } finally {
      reason.mockRestore();
    }
  });

  it('time out when fetch never responds, ignores its signal, or sends too slowly', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const timesOutAfter = async (ms: number, fetch: () => Promise<Response>) => {
        const loading = artifactsFrom({ digest, url, fetch }).load();
        const rejected = expect(loading).rejects.toThrow(serviceError('TIMEOUT'));
        await vi.advanceTimersByTimeAsync(ms);
        await rejected;
      };
      const streamOf = (pull: (to: ReadableStreamDefaultController) => Promise<void>) => async () =>
        new Response(new ReadableStream({ pull }));
      const chunks = (size: number, everyMs: number) =>
        streamOf(async (to) => {
          await new Promise((resolve) => setTimeout(resolve, everyMs));
          to.enqueue(new Uint8Array(size));
        });
      await timesOutAfter(ARTIFACT_STALL_MS, () => new Promise(() => {}));
      await timesOutAfter(
        ARTIFACT_STALL_MS,
        streamOf(() => new Promise(() => {})),
      );
      // Empty chunks do not restart the timer.
      await timesOutAfter(ARTIFACT_STALL_MS, chunks(0, 1000));
      await timesOutAfter(ARTIFACT_TOTAL_MS, chunks(1, 20_000));
      expect(vi.getTimerCount()).toBeLessThanOrEqual(2);
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])(
    'reject a stall timeout of %d milliseconds',
    (stallTimeoutMs) => {
      const refused = serviceError('INVALID_ARGUMENT', { context: { field: 'stallTimeoutMs' } });
      expect(() => artifactsFrom({ digest, url, stallTimeoutMs })).toThrow(refused);
    },
  );

  it('are loaded even if the listener of another call throws', async () => {
    const source = artifactsFrom({ digest, url });
    const bug = new Error('a bug of the page');
    const onProgress = () => {
      throw bug;
    };
    const [failing, other] = [source.load({ onProgress }), load(source)];
    await expect(failing).rejects.toBe(bug);
    expect(await other).toBe(digest);
    expect(requests).toHaveLength(FETCHED.length);
  });

  it('report the status if they are missing', async () => {
    const missing = load(artifactsFrom({ digest, url: `${url}/elsewhere` }));
    await expect(missing).rejects.toThrow(serviceError('NETWORK_ERROR', { status: 404 }));
  });

  it('report a server that cannot be reached', async () => {
    const fetch = () => Promise.reject(new TypeError('fetch failed'));
    const unreachable = load(artifactsFrom({ digest, url, fetch }));
    await expect(unreachable).rejects.toThrow(serviceError('NETWORK_ERROR', { retryable: true }));
  });

  it('are fetched once for all concurrent calls, and never again', async () => {
    const sources = [artifactsFrom({ digest, url }), artifactsFrom({ digest, url })] as const;
    const loads = await Promise.all([sources[0].load(), sources[1].load(), sources[0].load()]);
    expect(requests).toHaveLength(FETCHED.length);
    expect(new Set(loads).size).toBe(loads.length);
    expect(await load(artifactsFrom({ digest, url: 'http://127.0.0.1:1' }))).toBe(digest);
  });

  it('are fetched again after a failure', async () => {
    const source = artifactsFrom({ digest, url });
    serve('eligibility.key.bin', new Uint8Array(576));
    await expect(load(source)).rejects.toThrow(invalid);
    responses.clear();
    expect(await load(source)).toBe(digest);
  });

  describe('after an abort', () => {
    const reason = new Error('navigated away');
    const aborted = serviceError('ABORTED', { cause: reason });

    /** Delays the proving key. Resolves when it is requested; `ended` resolves when that request ends. */
    const delayedKey = () =>
      new Promise<{ release(): void; ended: Promise<void> }>((onRequest) => {
        responses.set(nameOf('compactKey'), (response) => {
          const ended = new Promise<void>((resolve) => response.on('close', resolve));
          onRequest({ release: () => response.end(artifacts.compactKey), ended });
        });
      });

    it('the transfer ends if no other call waits', async () => {
      const requested = delayedKey();
      const controller = new AbortController();
      const loading = artifactsFrom({ digest, url }).load({ signal: controller.signal });
      const { ended } = await requested;
      controller.abort(reason);
      await expect(loading).rejects.toThrow(aborted);
      await ended;
    });

    it('the transfer continues if another call waits', async () => {
      const requested = delayedKey();
      const controller = new AbortController();
      const source = artifactsFrom({ digest, url });
      const first = source.load({ signal: controller.signal });
      const second = load(source);
      const { release } = await requested;
      controller.abort(reason);
      await expect(first).rejects.toThrow(aborted);
      release();
      expect(await second).toBe(digest);
      expect(requests).toHaveLength(FETCHED.length);
    });

    it('nothing is requested if the abort came before the start', async () => {
      const source = artifactsFrom({ digest, url });
      await expect(source.load({ signal: AbortSignal.abort(reason) })).rejects.toThrow(aborted);
      expect(requests).toEqual([]);
    });
  });
});
