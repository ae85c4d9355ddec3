/** The prover in Debian's Chromium, or the one that CHROMIUM names, under content security policies. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { artifactsDirectory } from '@service/circuit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen } from '../../../test/support/loopback.ts';
import { type Bundle, bundleForBrowser } from '../../../test/support/prover/bundle.ts';
import { artifacts, attributes, facts } from '../../../test/support/prover/eligible.ts';
import type { PageReport } from '../../../test/support/prover/page.ts';

const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Returns what the page fetches: the digest, the facts with bytes as hex and bigints as text, and the attributes. */
function wanted(): string {
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  const shown = { ...facts, rule: hex(facts.rule), wallet: hex(facts.wallet) };
  return JSON.stringify({ digest: artifacts.digest, facts: shown, attributes }, (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  );
}

const PAGE = '<!doctype html><title>dApp</title><script type="module" src="/page.js"></script>';
const STRICT =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'";

describe.skipIf(!existsSync(chromium))('in a page', () => {
  let bundle: Bundle;
  let profile: string;
  let policy = STRICT;
  /** Files that the server does not have. */
  let missing: string[] = [];
  let onReport: (report: PageReport) => void = () => {};
  let requested: string[] = [];
  let server: Awaited<ReturnType<typeof listen>>;

  const listener: RequestListener = async (request, response) => {
    const name = path.posix.basename(request.url!);
    requested.push(name);
    response.setHeader('content-security-policy', policy);
    if (request.method === 'POST') {
      const report = (await json(request)) as PageReport;
      response.end();
      return onReport(report);
    }
    response.setHeader('content-type', name === '' ? 'text/html' : 'text/javascript');
    const file = path.join(bundle.directory, name || 'index.html');
    if (missing.includes(name) || !existsSync(file)) response.writeHead(404).end();
    else response.end(await readFile(file));
  };

  beforeAll(async () => {
    bundle = await bundleForBrowser('page.ts');
    await cp(artifactsDirectory, bundle.directory, { recursive: true });
    await writeFile(path.join(bundle.directory, 'wanted'), wanted());
    await writeFile(path.join(bundle.directory, 'index.html'), PAGE);
    profile = await mkdtemp(path.join(tmpdir(), 'chromium-'));
    server = await listen(listener);
  });
  afterAll(async () => {
    await server.close();
    await bundle.remove();
    // Processes of Chromium still write to it for a moment after the browser has closed.
    await rm(profile, { recursive: true, force: true, maxRetries: 10 });
  });

  interface Opened {
    readonly policy?: string;
    readonly missing?: string[];
    /** More flags of Chromium. */
    readonly flags?: readonly string[];
    /** The name by which the page is opened. */
    readonly host?: string;
  }

  /** Opens the page and waits for its report. */
  async function open(opened: Opened = {}): Promise<PageReport> {
    ({ policy = STRICT, missing = [] } = opened);
    const { flags: more = [], host } = opened;
    const address = host ? `http://${host}:${new URL(server.origin).port}` : server.origin;
    requested = [];
    let browser: ChildProcess | undefined;
    try {
      return await new Promise<PageReport>((resolve, reject) => {
        onReport = resolve;
        // Root, as in CI, has no sandbox.
        const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run'];
        const parameters = [...flags, ...more, `--user-data-dir=${profile}`, address];
        browser = spawn(chromium, parameters, { stdio: 'ignore' });
        browser.on('error', reject);
        browser.on('exit', (code) =>
          reject(new Error(`Chromium ended with ${code}; it had requested ${requested.join()}`)),
        );
      });
    } finally {
      const closed = new Promise((resolve) => browser?.on('close', resolve));
      if (browser?.exitCode === null && browser.kill()) await closed;
    }
  }

  it('a worker proves under a policy of wasm-unsafe-eval alone, and blocks nothing', async () => {
    const report = await open();
    expect(report).toMatchObject({ length: 256, here: false, printed: [], blocked: [] });
    expect(report.turns).toBeGreaterThan(10);
    // Only the worker loads snarkjs.
    expect(requested.filter((name) => /^make-proof/.test(name))).toEqual([]);
  });

  it('the page itself proves where the policy forbids workers', async () => {
    const report = await open({ policy: STRICT.replace("worker-src 'self'", "worker-src 'none'") });
    expect(report).toMatchObject({ length: 256, here: true, printed: [] });
    expect(report.turns).toBeLessThan(10);
    expect(report.blocked).toEqual(['worker-src prover-worker.js']);
  });

  it('the page itself proves where the worker’s file is missing', async () => {
    const report = await open({ missing: ['prover-worker.js'] });
    expect(requested.filter((name) => /^make-proof/.test(name))).toHaveLength(1);
    expect(report).toMatchObject({ length: 256, here: true, printed: [] });
  });

  it('a proof rejects with a code where WebAssembly is forbidden', async () => {
    const report = await open({ policy: STRICT.replace(" 'wasm-unsafe-eval'", '') });
    expect(report).toMatchObject({ code: 'PROVER_FAILED', printed: [] });
    expect(report.message).toContain('wasm-unsafe-eval');
    // A worker can have another policy than the page.
    expect(report.missing).toEqual([]);
  });

  it('an engine without WebAssembly, as in Lockdown Mode, is not a policy', async () => {
    const report = await open({ flags: ['--js-flags=--jitless'] });
    expect(report).toMatchObject({ code: 'UNSUPPORTED_PLATFORM', missing: ['WebAssembly'], printed: [] });
    expect(report.message).toContain('turn off Lockdown Mode');
  });

  it('a page without https lacks WebCrypto, and fetches no artifacts', async () => {
    const flags = ['--host-resolver-rules=MAP site.test 127.0.0.1'];
    const report = await open({ host: 'site.test', flags });
    const missing = ['crypto.randomUUID', 'crypto.subtle'];
    expect(report).toMatchObject({ code: 'UNSUPPORTED_PLATFORM', missing, printed: [] });
    expect(report.message).toContain('Serve the page over https, or from localhost.');
    expect(requested).not.toContain('manifest.json');
  });
});
