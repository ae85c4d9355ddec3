import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { artifactsDirectory } from '@service/circuit';
import { canonicalJson, manifestDigest } from '@service/protocol/eligibility';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { artifacts } from '../../../test/support/prover/eligible.ts';
import { ARTIFACT_STALL_MS, ARTIFACT_TOTAL_MS } from '../bounds.ts';
import type { ArtifactSource } from './artifacts-from.ts';

const NAMES = ['manifest.json', ...Object.values(artifacts.manifest.files).map(({ name }) => name)];
const { digest } = artifacts;
const invalid = expect.objectContaining({ code: 'ARTIFACTS_INVALID' });

// Allow for a busy machine.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const files = (change: object) => ({ files: { ...artifacts.manifest.files, ...change } });

/** A new module for each test, because it keeps checked artifacts. */
let artifactsFrom: typeof import('./artifacts-from.ts')['artifactsFrom'];
beforeEach(async () => {
  vi.resetModules();
  ({ artifactsFrom } = await import('./artifacts-from.ts'));
});

/** Changes one bit in the middle, which keeps the size. */
function flipBit(bytes: Uint8Array): Uint8Array {
  const flipped = Uint8Array.from(bytes);
  flipped[flipped.length >> 1] = (flipped[flipped.length >> 1] ?? 0) ^ 1;
  return flipped;
}

/** Loads, and keeps megabytes out of the report of a failed test. */
async function load(source: ArtifactSource): Promise<string> {
  return (await source.load()).digest;
}

async function bytesInMemory(): Promise<Record<'manifest' | 'wasm' | 'zkey' | 'vkey' | 'key', Uint8Array>> {
  const manifest = await readFile(path.join(artifactsDirectory, 'manifest.json'));
  const { wasm, zkey, vkey, key } = artifacts;
  return { manifest: Uint8Array.from(manifest), wasm, zkey, vkey, key };
}

describe('artifacts in memory', () => {
  it('are returned unchanged', async () => {
    const loaded = await artifactsFrom({ digest, bytes: await bytesInMemory() }).load();
    expect(loaded.digest).toBe(digest);
    expect(loaded.manifest).toEqual(artifacts.manifest);
    for (const kind of ['wasm', 'zkey', 'vkey', 'key'] as const) {
      expect(Buffer.compare(loaded[kind], artifacts[kind])).toBe(0);
    }
  });

  it('are copied before they are checked', async () => {
    // Buffers too, because their slice copies nothing.
    for (const copy of [Uint8Array.from(artifacts.key), Buffer.from(artifacts.key)]) {
      const bytes = { ...(await bytesInMemory()), key: copy };
      const source = artifactsFrom({ digest, bytes });
      const loading = source.load();
      copy.fill(0);
      await expect(loading).rejects.toThrow(invalid);
      copy.set(artifacts.key);
      const loaded = await source.load();
      copy.fill(0);
      expect(loaded.key).toEqual(artifacts.key);
      expect((await source.load()).key).toEqual(artifacts.key);
      vi.resetModules();
      ({ artifactsFrom } = await import('./artifacts-from.ts'));
    }
  });

  it('are returned as separate copies', async () => {
    const source = artifactsFrom({ digest, bytes: await bytesInMemory() });
    // For a call that waited for the load, and for a later call.
    for (const _ of ['waited', 'later']) {
      const given = await source.load();
      for (const kind of ['wasm', 'zkey', 'vkey', 'key'] as const) given[kind].fill(0);
      (given.manifest as { circuit: string }).circuit = 'another';
    }
    const last = await source.load();
    expect(last.manifest).toEqual(artifacts.manifest);
    for (const kind of ['wasm', 'zkey', 'vkey', 'key'] as const) {
      expect(Buffer.compare(last[kind], artifacts[kind])).toBe(0);
    }
  });

  it.each<[string, object]>([
    ['protocol', { protocol: 'plonk' }],
    ['curve', { curve: 'bls12381' }],
    ['circuit', { circuit: 'x'.repeat(33) }],
    ['publicSignals', { publicSignals: [] }],
    ['files.zkey.size', files({ zkey: { name: 'a', size: 2 ** 31, sha256: digest } })],
    ['files.wasm.name', files({ wasm: { name: '../a', size: 1, sha256: digest } })],
  ])('are rejected for another %s, even if pinned', async (field, change) => {
    const other = { ...artifacts.manifest, ...change };
    const manifest = new TextEncoder().encode(canonicalJson(other));
    const pinned = await manifestDigest(other);
    const source = artifactsFrom({ digest: pinned, bytes: { ...(await bytesInMemory()), manifest } });
    await expect(source.load()).rejects.toThrow(
      expect.objectContaining({
        code: 'ARTIFACTS_INVALID',
        cause: expect.objectContaining({ message: expect.stringContaining(field) }),
      }),
    );
  });

  it.each(['manifest', 'wasm', 'zkey', 'vkey', 'key'] as const)(
    'are rejected for one bit of %s',
    async (kind) => {
      const bytes = await bytesInMemory();
      bytes[kind] = flipBit(bytes[kind]);
      await expect(load(artifactsFrom({ digest, bytes }))).rejects.toThrow(invalid);
    },
  );

  it.each(['wasm', 'zkey', 'vkey', 'key'] as const)(
    'are rejected for a byte more or less of %s',
    async (kind) => {
      const bytes = await bytesInMemory();
      const whole = bytes[kind];
      bytes[kind] = whole.subarray(0, -1);
      await expect(load(artifactsFrom({ digest, bytes }))).rejects.toThrow(invalid);
      bytes[kind] = Uint8Array.from([...whole.subarray(0, 8), ...whole]);
      await expect(load(artifactsFrom({ digest, bytes }))).rejects.toThrow(invalid);
    },
  );

  it('are rejected if another digest is pinned', async () => {
    const other = digest.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
    const source = artifactsFrom({ digest: other, bytes: await bytesInMemory() });
    await expect(load(source)).rejects.toThrow(`${other} is pinned`);
  });

  it('are rejected for another kind of circuit, even if pinned', async () => {
    const other = { ...artifacts.manifest, publicSignals: ['contextHash', 'nullifier'] };
    const manifest = new TextEncoder().encode(canonicalJson(other));
    const source = artifactsFrom({
      digest: await manifestDigest(other),
      bytes: { ...(await bytesInMemory()), manifest },
    });
    await expect(load(source)).rejects.toThrow('one public signal');
  });

  it.each(['', 'abc', digest.toUpperCase(), `${digest}0`, `../${digest.slice(3)}`])(
    'cannot be pinned by %j',
    async (text) => {
      const bytes = await bytesInMemory();
      expect(() => artifactsFrom({ digest: text, bytes })).toThrow(
        expect.objectContaining({ code: 'INVALID_ARGUMENT', context: { field: 'digest' } }),
      );
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
    try {
      await writeFile(file, flipBit(original));
      await expect(load(source)).rejects.toThrow(invalid);
      await writeFile(file, Buffer.concat([original, Buffer.alloc(64 * 1024)]));
      await expect(load(source)).rejects.toThrow(invalid);
      await rm(file);
      await expect(load(source)).rejects.toThrow(invalid);
    } finally {
      await writeFile(file, original);
    }
    expect((await source.load()).digest).toBe(digest);
  });
});

describe('artifacts at a URL', () => {
  const requests: string[] = [];
  /** Replaces the server's normal answer for a file. */
  let misbehave: ((name: string, response: ServerResponse) => boolean) | undefined;
  let url: string;

  const server = createServer(async (request, response) => {
    const [, folder, pinned, name = ''] = (request.url ?? '').split('/');
    requests.push(name);
    if (misbehave?.(name, response)) return;
    if (folder !== 'artifacts' || pinned !== digest || !NAMES.includes(name)) {
      response.writeHead(404).end();
      return;
    }
    response.end(await readFile(path.join(artifactsDirectory, name)));
  });

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/artifacts`;
  });
  beforeEach(() => {
    requests.length = 0;
    misbehave = undefined;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Serves other bytes for one file. */
  function serve(name: string, bytes: Uint8Array): void {
    misbehave = (requested, response) => {
      if (requested !== name) return false;
      response.end(bytes);
      return true;
    };
  }

  it('are fetched from {url}/{digest}/{name}, with or without a slash at the end', async () => {
    const source = artifactsFrom({ digest, url: new URL(`${url}/`) });
    const fractions: number[] = [];
    const loaded = await source.load({ onProgress: (fraction) => fractions.push(fraction) });
    expect(Buffer.compare(loaded.wasm, artifacts.wasm)).toBe(0);
    expect([...requests].sort()).toEqual([...NAMES].sort());
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    expect(fractions.at(-1)).toBe(1);
  });

  it.each(NAMES)('are rejected for one bit of %s', async (name) => {
    serve(name, flipBit(await readFile(path.join(artifactsDirectory, name))));
    await expect(load(artifactsFrom({ digest, url }))).rejects.toThrow(invalid);
  });

  it('are not fetched if the manifest is not the pinned one', async () => {
    serve('manifest.json', new TextEncoder().encode('{}'));
    await expect(load(artifactsFrom({ digest, url }))).rejects.toThrow(invalid);
    expect(requests).toEqual(['manifest.json']);
  });

  it.each(NAMES)('are read only up to a limit if %s never ends', async (name) => {
    let sent = 0;
    const closed = new Promise<void>((resolve) => {
      misbehave = (requested, response) => {
        if (requested !== name) return false;
        const chunk = Buffer.alloc(64 * 1024);
        const pump = () => {
          while (!response.destroyed && response.write(chunk)) sent += chunk.length;
        };
        response.on('drain', pump).on('close', resolve);
        pump();
        return true;
      };
    });
    await expect(load(artifactsFrom({ digest, url }))).rejects.toThrow('larger than');
    await closed;
    expect(sent).toBeLessThan(16 * 1024 * 1024);
  });

  it('time out if they stop arriving', async () => {
    misbehave = (name, response) => {
      if (name !== 'eligibility.zkey') return false;
      response.write(artifacts.zkey.subarray(0, 1000));
      return true;
    };
    const source = artifactsFrom({ digest, url, stallTimeoutMs: 200 });
    await expect(load(source)).rejects.toThrow(expect.objectContaining({ code: 'TIMEOUT', retryable: true }));
  });

  it('time out when fetch never answers, ignores its signal, or sends too slowly', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const late = expect.objectContaining({ code: 'TIMEOUT' });
      const never = () => new Promise<Response>(() => {});
      const silent = async () => new Response(new ReadableStream({ pull: () => new Promise(() => {}) }));
      const chunks = (size: number, everyMs: number) => async () =>
        new Response(
          new ReadableStream({
            async pull(controller) {
              await new Promise((resolve) => setTimeout(resolve, everyMs));
              controller.enqueue(new Uint8Array(size));
            },
          }),
        );
      // Empty chunks do not restart the timer.
      const empty = chunks(0, 1000);
      for (const fetch of [never, silent, empty]) {
        const loading = expect(artifactsFrom({ digest, url, fetch }).load()).rejects.toThrow(late);
        await vi.advanceTimersByTimeAsync(ARTIFACT_STALL_MS);
        await loading;
      }
      const slow = chunks(1, 20_000);
      const loading = expect(artifactsFrom({ digest, url, fetch: slow }).load()).rejects.toThrow(late);
      await vi.advanceTimersByTimeAsync(ARTIFACT_TOTAL_MS);
      await loading;
      expect(vi.getTimerCount()).toBeLessThanOrEqual(2);
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])(
    'reject a stall timeout of %d milliseconds',
    (stallTimeoutMs) => {
      expect(() => artifactsFrom({ digest, url, stallTimeoutMs })).toThrow(
        expect.objectContaining({ code: 'INVALID_ARGUMENT', context: { field: 'stallTimeoutMs' } }),
      );
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
    expect(requests).toHaveLength(NAMES.length);
  });

  it('report the status if they are missing', async () => {
    await expect(load(artifactsFrom({ digest, url: `${url}/elsewhere` }))).rejects.toThrow(
      expect.objectContaining({ code: 'NETWORK_ERROR', status: 404 }),
    );
  });

  it('report a server that cannot be reached', async () => {
    const fetch = () => Promise.reject(new TypeError('fetch failed'));
    await expect(load(artifactsFrom({ digest, url, fetch }))).rejects.toThrow(
      expect.objectContaining({ code: 'NETWORK_ERROR', retryable: true }),
    );
  });

  it('are fetched once for all concurrent calls, and never again', async () => {
    const sources = [artifactsFrom({ digest, url }), artifactsFrom({ digest, url })] as const;
    const loads = await Promise.all([sources[0].load(), sources[1].load(), sources[0].load()]);
    expect(requests).toHaveLength(NAMES.length);
    expect(new Set(loads).size).toBe(loads.length);
    const elsewhere = artifactsFrom({ digest, url: 'http://127.0.0.1:1' });
    expect((await elsewhere.load()).digest).toBe(digest);
  });

  it('are fetched again after a failure', async () => {
    const source = artifactsFrom({ digest, url });
    serve('eligibility.key.bin', new Uint8Array(576));
    await expect(load(source)).rejects.toThrow(invalid);
    misbehave = undefined;
    expect((await source.load()).digest).toBe(digest);
  });

  describe('when a caller gives up', () => {
    const reason = new Error('navigated away');
    const aborted = expect.objectContaining({ code: 'ABORTED', cause: reason });

    /** Holds the proving key back; says when it was asked for and when that request ended. */
    function holdBack() {
      const held = { release: () => {}, asked: Promise.resolve(), ended: Promise.resolve() };
      held.ended = new Promise((onEnded) => {
        held.asked = new Promise((onAsked) => {
          misbehave = (name, response) => {
            if (name !== 'eligibility.zkey') return false;
            held.release = () => response.end(artifacts.zkey);
            response.on('close', onEnded);
            onAsked();
            return true;
          };
        });
      });
      return held;
    }

    it('while nobody else waits, the transfer is ended', async () => {
      const held = holdBack();
      const controller = new AbortController();
      const loading = artifactsFrom({ digest, url }).load({ signal: controller.signal });
      await held.asked;
      controller.abort(reason);
      await expect(loading).rejects.toThrow(aborted);
      await held.ended;
    });

    it('while somebody else waits, it goes on', async () => {
      const held = holdBack();
      const controller = new AbortController();
      const source: ArtifactSource = artifactsFrom({ digest, url });
      const first = source.load({ signal: controller.signal });
      const second = source.load();
      await held.asked;
      controller.abort(reason);
      await expect(first).rejects.toThrow(aborted);
      held.release();
      expect((await second).digest).toBe(digest);
      expect(requests).toHaveLength(NAMES.length);
    });

    it('before the start, nothing is asked for', async () => {
      const source = artifactsFrom({ digest, url });
      await expect(source.load({ signal: AbortSignal.abort(reason) })).rejects.toThrow(aborted);
      expect(requests).toEqual([]);
    });
  });
});
