/** The prover in Debian's Chromium, or the one that CHROMIUM names, under content security policies. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { artifactsDirectory } from '@service/circuit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Bundle, bundleForBrowser } from '../../../test/support/prover/bundle.ts';
import { artifacts, attributes, facts } from '../../../test/support/prover/eligible.ts';
import type { PageReport } from '../../../test/support/prover/page.ts';

const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';

// Room for a machine that is busy with other things.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const STRICT =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'";

describe.skipIf(!existsSync(chromium))('in a page', () => {
  let bundle: Bundle;
  let profile: string;
  let policy = STRICT;
  /** Files that the server does not have. */
  let missing: string[] = [];
  let onReport: (report: PageReport) => void = () => {};
  let asked: string[] = [];

  const server = createServer(async (request, response) => {
    const name = path.posix.basename(request.url ?? '');
    asked.push(name);
    response.setHeader('content-security-policy', policy);
    if (request.method === 'POST') {
      const body: Buffer[] = [];
      for await (const chunk of request) body.push(chunk);
      response.end();
      return onReport(JSON.parse(Buffer.concat(body).toString()));
    }
    const hex = (value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
    const text = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : hex(value));
    try {
      if (missing.includes(name)) throw new Error('missing');
      if (name === 'wanted') {
        response.end(
          JSON.stringify(
            {
              digest: artifacts.digest,
              facts: { ...facts, rule: hex(facts.rule), wallet: hex(facts.wallet) },
              attributes,
            },
            text,
          ),
        );
      } else if (request.url?.startsWith('/artifacts/')) {
        response.end(await readFile(path.join(artifactsDirectory, name)));
      } else if (name === '') {
        response.setHeader('content-type', 'text/html');
        response.end('<!doctype html><title>dApp</title><script type="module" src="/page.js"></script>');
      } else {
        response.setHeader('content-type', 'text/javascript');
        response.end(await readFile(path.join(bundle.directory, name)));
      }
    } catch {
      response.writeHead(404).end();
    }
  });

  beforeAll(async () => {
    bundle = await bundleForBrowser('page.ts');
    profile = await mkdtemp(path.join(tmpdir(), 'chromium-'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await bundle.remove();
    await rm(profile, { recursive: true, force: true });
  });

  /** Opens the page and waits for its report. */
  async function open(served: { policy?: string; missing?: string[] }): Promise<PageReport> {
    policy = served.policy ?? STRICT;
    missing = served.missing ?? [];
    asked = [];
    const { port } = server.address() as AddressInfo;
    let browser: ChildProcess | undefined;
    try {
      return await new Promise<PageReport>((resolve, reject) => {
        onReport = resolve;
        // Root, as in CI, has no sandbox.
        const flags = [
          '--headless=new',
          '--no-sandbox',
          '--disable-gpu',
          '--no-first-run',
          `--user-data-dir=${profile}`,
        ];
        browser = spawn(chromium, [...flags, `http://127.0.0.1:${port}/`], { stdio: 'ignore' });
        browser.on('error', reject);
        browser.on('exit', (code) =>
          reject(new Error(`Chromium ended with ${code}; it had asked for ${asked.join()}`)),
        );
      });
    } finally {
      const closed = new Promise((resolve) => browser?.on('close', resolve));
      if (browser?.exitCode === null && browser.kill()) await closed;
    }
  }

  it('a worker proves under a policy of wasm-unsafe-eval alone, and blocks nothing', async () => {
    const report = await open({});
    expect(report).toMatchObject({ length: 256, here: false, printed: [], blocked: [] });
    expect(report.turns).toBeGreaterThan(10);
    // snarkjs came into the worker only.
    expect(asked.filter((name) => /^make-proof/.test(name))).toEqual([]);
  });

  it('the page itself proves where the policy forbids workers', async () => {
    const report = await open({ policy: STRICT.replace("worker-src 'self'", "worker-src 'none'") });
    expect(report).toMatchObject({ length: 256, here: true, printed: [] });
    expect(report.turns).toBeLessThan(10);
    expect(report.blocked).toEqual(['worker-src prover-worker.js']);
  });

  it('the page itself proves where the worker’s file is missing', async () => {
    const report = await open({ missing: ['prover-worker.js'] });
    expect(asked.filter((name) => /^make-proof/.test(name))).toHaveLength(1);
    expect(report).toMatchObject({
      length: 256,
      here: true,
      printed: [],
    });
  });

  it('it is a code where WebAssembly is forbidden', async () => {
    const report = await open({ policy: STRICT.replace(" 'wasm-unsafe-eval'", '') });
    expect(report).toMatchObject({ code: 'PROVER_FAILED', printed: [] });
    expect(report.message).toContain('wasm-unsafe-eval');
  });
});
