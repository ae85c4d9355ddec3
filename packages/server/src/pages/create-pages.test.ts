import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createAdaptorServer } from '@hono/node-server';
import type { Address } from '@solana/kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPages, type PinnedDeployment } from './create-pages.ts';

const deployment: PinnedDeployment = {
  program: '7cqE6AS4cxp6bj3NQ3iX4su4xcDtMQNitRVR21RirKVi' as Address,
  genesisHash: '7aoLxDpQmAjeLPnuEdSA5DRsyy9Mb4WQbkCPkB6LUY6b',
  artifactsDigest: 'ab'.repeat(32),
  rpcUrl: 'http://127.0.0.1:8899/path',
  verifierOrigins: ['http://127.0.0.1:3001'],
  baseUrl: 'http://localhost:3000',
};

let parent: string;
let directory: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'pages-'));
  directory = join(parent, 'dist');
  for (const folder of [directory, join(directory, 'assets'), join(directory, '.git')]) mkdirSync(folder);
  const files = {
    '../secret.txt': 'secret',
    '.git/config': 'secret',
    '.env': 'secret',
    'index.html': '<title>dApp</title>',
    'favicon.svg': '<svg/>',
    'assets/index-D3adB33f.js': 'export {}',
    'assets/index-D3adB33f.css': 'a{}',
    'assets/prover-D3adB33f.wasm': 'wasm',
    'assets/my-holidays.jpg': 'jpg',
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content);
});
afterEach(() => rmSync(parent, { recursive: true }));

const HTML = { accept: 'text/html,*/*;q=0.8' };
const request = (path: string, init: RequestInit = {}) =>
  createPages({ directory, deployment: () => deployment })(new Request(`http://localhost:3000${path}`, init));
/** Returns a page that must exist. */
async function found(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await request(path, init);
  if (!response) throw new Error(`${path} has no page`);
  return response;
}

describe('files', () => {
  it.each([
    ['/', 'text/html; charset=utf-8', '<title>dApp</title>'],
    ['/index.html', 'text/html; charset=utf-8', '<title>dApp</title>'],
    ['/favicon.svg', 'image/svg+xml; charset=utf-8', '<svg/>'],
    ['/assets/index-D3adB33f.js', 'text/javascript; charset=utf-8', 'export {}'],
    ['/assets/index-D3adB33f.css', 'text/css; charset=utf-8', 'a{}'],
    ['/assets/prover-D3adB33f.wasm', 'application/wasm', 'wasm'],
    ['/assets/my-holidays.jpg', 'image/jpeg', 'jpg'],
  ])('%s has its type, and no cache keeps it without asking', async (path, type, content) => {
    const response = await found(path);
    expect([response.status, await response.text()]).toEqual([200, content]);
    expect(response.headers.get('content-type')).toBe(type);
    expect(response.headers.get('cache-control')).toBe('no-cache');
    const head = await found(path, { method: 'HEAD' });
    expect(await head.text()).toBe('');
    expect(head.headers.get('content-length')).toBe(String(content.length));
    expect(head.headers.get('content-type')).toBe(type);
  });

  it('are not sent again to a browser that has them, until they change', async () => {
    const path = '/assets/index-D3adB33f.js';
    const tag = (await found(path)).headers.get('etag')!;
    const again = await found(path, { headers: { 'if-none-match': tag } });
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', tag]);
    writeFileSync(join(directory, path), 'export { changed }');
    const changed = await found(path, { headers: { 'if-none-match': tag } });
    expect([changed.status, await changed.text()]).toEqual([200, 'export { changed }']);
  });

  it('have a strict content security policy, which allows what the SDK needs', async () => {
    for (const path of ['/', '/issuer', '/assets/index-D3adB33f.js']) {
      const { headers } = await found(path, { headers: HTML });
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('content-security-policy')?.split('; ')).toEqual([
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "worker-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "manifest-src 'self'",
        "connect-src 'self' http://127.0.0.1:8899 ws://127.0.0.1:8899",
        "form-action 'self' http://127.0.0.1:3001",
        "frame-ancestors 'none'",
        "base-uri 'none'",
      ]);
    }
  });

  it('outside the folder, hidden or missing have no page', async () => {
    const paths = [
      '/..%2fsecret.txt',
      '/%2e%2e/secret.txt',
      '/assets/..%2f..%2fsecret.txt',
      '/..%5csecret.txt',
      '/.env',
      '/.git/config',
      '/assets/none.js',
      '/assets',
      '/secret.txt%00.js',
    ];
    for (const path of paths) expect(await request(path), path).toBeNull();
  });

  it('outside the folder have no page even if the client sends the path as it is', async () => {
    const pages = createPages({ directory, deployment: () => deployment });
    const answer = async (request: Request) => (await pages(request)) ?? new Response(null, { status: 404 });
    const server = createAdaptorServer({ fetch: answer }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const ask = async (path: string) => {
      const sent = httpRequest({ port, host: '127.0.0.1', path, headers: { Host: 'localhost:3000' } }).end();
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      return { status: response.statusCode, body: await text(response) };
    };
    try {
      expect(await ask('/favicon.svg')).toEqual({ status: 200, body: '<svg/>' });
      const paths = [
        '/../secret.txt',
        '/assets/../../secret.txt',
        '//secret.txt',
        '/./.env',
        '/\\..\\secret.txt',
      ];
      for (const path of paths) expect(await ask(path), path).toMatchObject({ body: '' });
    } finally {
      server.close();
    }
  });
});

describe('a path of the dApp', () => {
  it('returns index.html to a client that accepts HTML, and nothing to others', async () => {
    for (const path of ['/issuer', '/holder/passes?x=1', '/%7Ename', '/no-file.txt']) {
      const response = await found(path, { headers: HTML });
      expect(await response.text()).toBe('<title>dApp</title>');
      expect(response.headers.get('cache-control')).toBe('no-cache');
    }
    for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }]) {
      expect(await request('/issuer', { headers })).toBeNull();
    }
  });

  it('redirects to the origin of the site, where people can sign in', async () => {
    const pages = createPages({ directory, deployment: () => deployment });
    for (const host of ['http://127.0.0.1:3000', 'http://other.example']) {
      const response = await pages(new Request(`${host}/issuer?a=1`, { headers: HTML }));
      expect([response?.status, response?.headers.get('location')]).toEqual([
        307,
        'http://localhost:3000/issuer?a=1',
      ]);
    }
    expect((await pages(new Request('http://127.0.0.1:3000/favicon.svg')))?.status).toBe(200);
  });

  it('never redirects behind a proxy that ends TLS, whichever host the proxy names', async () => {
    const proxied = { ...deployment, baseUrl: 'https://dapp.example' };
    const pages = createPages({ directory, deployment: () => proxied });
    for (const host of ['http://dapp.example', 'http://127.0.0.1:3000']) {
      const response = await pages(new Request(`${host}/issuer`, { headers: HTML }));
      expect([response?.status, await response?.text()]).toEqual([200, '<title>dApp</title>']);
    }
  });
});

describe('without a page', () => {
  it('has deployment.json, which no cache keeps', async () => {
    const pages = createPages({ deployment: () => deployment });
    const response = await pages(new Request('http://localhost:3000/deployment.json'));
    expect(await response?.json()).toEqual(deployment);
    expect(response?.headers.get('cache-control')).toBe('no-store');
    expect(await pages(new Request('http://localhost:3000/', { headers: HTML }))).toBeNull();
  });

  it('has nothing before the site has its port, and before the page is built', async () => {
    const early = createPages({ directory, deployment: () => null });
    for (const path of ['/', '/deployment.json']) {
      expect(await early(new Request(`http://localhost:3000${path}`, { headers: HTML }))).toBeNull();
    }
    rmSync(join(directory, 'index.html'));
    expect(await request('/', { headers: HTML })).toBeNull();
    expect(await request('/favicon.svg')).toBeNull();
    writeFileSync(join(directory, 'index.html'), 'built');
    expect(await (await found('/', { headers: HTML })).text()).toBe('built');
  });
});
