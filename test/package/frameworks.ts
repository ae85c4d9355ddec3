/** Pages of frameworks that install the packed tarballs: Next.js with its app router, and Vue built by Vite. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as after } from 'node:timers/promises';
import type { Stack } from '@service/development';
import { build as vite } from 'vite';
import { developedWith } from './consumers.ts';
import { run, tsc } from './install.ts';
import { compileVue } from './vue-page.ts';

/** A page of a framework. */
export interface Framework {
  readonly name: string;
  /** Exact versions of what it installs besides the tarballs. */
  readonly dependencies: Readonly<Record<string, string>>;
  /** Compiles and builds the page. */
  build(folder: string): Promise<void>;
  /** Returns the HTML that the server renders. */
  render(folder: string, deployment: Stack['deployment']): Promise<string>;
  /** Texts that the HTML must contain. */
  readonly texts: readonly string[];
}

const { '@types/node': node, typescript, vite: viteVersion } = developedWith('package.json');

/** Next.js builds and starts without any request to another host. */
const NEXT = { NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' };
const nextBin = (folder: string) => join(folder, 'node_modules/next/dist/bin/next');
const SECONDS_TO_START = 30;

/** Returns the pages, which have the kit with which the repository is developed. */
export const frameworks = (developed: Readonly<Record<string, string>>): readonly Framework[] => {
  const { '@solana/kit': kit, '@tanstack/react-query': reactQuery, react, 'react-dom': reactDom } = developed;
  return [
    {
      name: 'next',
      dependencies: {
        '@solana/kit': kit!,
        '@tanstack/react-query': reactQuery!,
        '@types/node': node!,
        '@types/react': '19.3.0',
        next: '16.4.6',
        react: react!,
        'react-dom': reactDom!,
        // Without it, `next build` installs the newest one, and in CI it ends.
        typescript: typescript!,
      },
      async build(folder) {
        // One after the other, because Next.js writes tsconfig.json.
        await tsc(['-p', 'tsconfig.json'], folder);
        await run(process.execPath, [nextBin(folder), 'build'], folder, NEXT);
      },
      render: renderNext,
      texts: ['session loading', 'verifiers 1, pass fee ', 'passes 0, witness false, proving false'],
    },
    {
      name: 'vue',
      dependencies: {
        '@solana/kit': kit!,
        '@tanstack/vue-query': '5.104.0',
        '@vitejs/plugin-vue': '6.0.11',
        typescript: typescript!,
        vite: viteVersion!,
        vue: '3.5.45',
        'vue-tsc': '3.3.14',
      },
      async build(folder) {
        await compileVue(folder);
        await vite({
          root: folder,
          configFile: false,
          logLevel: 'error',
          build: { ssr: 'page.ts', outDir: 'built', target: 'es2022' },
          ssr: { noExternal: ['@service/sdk'] },
        });
      },
      async render(folder, deployment) {
        const env = { DEPLOYMENT: JSON.stringify(deployment) };
        return (await run(process.execPath, ['built/page.js'], folder, env)).stdout;
      },
      texts: ['verifiers 1, pass fee ', 'passport idle 0', 'transfer idle'],
    },
  ];
};

/** Throws unless the server rendered the page with the data of the service. */
export function checkHtml(html: string, { name, texts }: Framework): void {
  const missing = texts.filter((text) => !html.includes(text));
  if (missing.length > 0 || /pass fee (undefined|null)/.test(html)) {
    throw new Error(`the page of ${name} does not contain ${missing.join(', ')}: ${html.slice(0, 4_000)}`);
  }
}

/** Starts Next.js on loopback, requests the page, and ends the server. */
async function renderNext(folder: string, deployment: Stack['deployment']): Promise<string> {
  const env = { ...process.env, ...NEXT, DEPLOYMENT: JSON.stringify(deployment) };
  const parameters = [nextBin(folder), 'start', '--hostname', '127.0.0.1', '--port', '0'];
  const server = spawn(process.execPath, parameters, {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(server, 'exit');
  const cancel = new AbortController();
  try {
    const late = after(SECONDS_TO_START * 1000, undefined, { signal: cancel.signal }).then(
      () => Promise.reject(new Error('next start printed no address')),
      () => '',
    );
    const address = await Promise.race([addressOf(server.stdout), late]);
    const response = await fetch(address);
    const html = await response.text();
    if (!response.ok) throw new Error(`next start answered ${response.status}: ${html.slice(0, 4_000)}`);
    return html;
  } finally {
    cancel.abort();
    server.kill();
    await ended;
  }
}

/** Returns the address that `next start` prints. */
async function addressOf(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface(output)) {
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (address) return address;
  }
  throw new Error('next start ended');
}
