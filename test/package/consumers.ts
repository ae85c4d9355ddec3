/** The dApps that install the packed tarballs: which versions of the peers each has, and what runs it. */
import { readFileSync } from 'node:fs';

/** Returns the developer's dependencies in a package.json of the repository. */
export function developedWith(manifest: string): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(new URL(`../../${manifest}`, import.meta.url), 'utf8')).devDependencies;
}

/** A dApp of the test. */
export interface Consumer {
  readonly name: string;
  /** Exact versions of what it installs besides the tarballs. */
  readonly dependencies: Readonly<Record<string, string>>;
  /** Names of what runs its journey and its unit test. */
  readonly runtimes: readonly string[];
}

/** A JavaScript runtime from the npm registry. */
export interface Runtime {
  /** The npm package that holds its binary, with its exact version. */
  readonly dependency: readonly [name: string, version: string];
  /** Path of the binary in that package. */
  readonly binary: string;
  /** Parameters before the script. */
  readonly parameters: readonly string[];
}

const platform = `${process.platform}-${process.arch}`;
const denoOf = process.platform === 'linux' ? `${platform}-glibc` : platform;

/** The runtimes by name. Their packages hold the binaries, so that no script downloads one. */
export const RUNTIMES: Readonly<Record<string, Runtime>> = {
  ...Object.fromEntries(
    ['20.20.2', '22.23.3', '24.9.0'].map((version) => [
      `node-${version.split('.')[0]}`,
      { dependency: [`node-${platform}`, version], binary: 'bin/node', parameters: [] } satisfies Runtime,
    ]),
  ),
  bun: {
    dependency: [`@oven/bun-${platform.replace('arm64', 'aarch64')}`, '1.4.5'],
    binary: 'bin/bun',
    parameters: [],
  },
  deno: {
    dependency: [`@deno/${denoOf}`, '2.9.6'],
    binary: 'deno',
    parameters: ['run', '--allow-all', '--quiet'],
  },
};

const ofSdk = developedWith('packages/sdk/package.json');

/** The consumer that has the versions with which the repository is developed. Bundlers bundle this one. */
export const DEVELOPED: Consumer = {
  name: 'developed',
  dependencies: {
    ...Object.fromEntries(
      ['@solana/kit', '@tanstack/react-query', 'react', 'react-dom'].map((name) => [name, ofSdk[name]!]),
    ),
    msw: developedWith('package.json').msw!,
  },
  runtimes: Object.keys(RUNTIMES),
};

/** Consumers at other places of the ranges of the peers. Each must install without `--force`. */
export const OTHERS: readonly Consumer[] = [
  {
    name: 'lowest',
    // The lowest versions that package.json of the SDK and of the test tools accept.
    dependencies: {
      '@solana/kit': '6.5.0',
      '@tanstack/react-query': '5.0.0',
      msw: '2.0.0',
      react: '18.0.0',
      // TanStack Query 5.0.0 names it as an optional peer.
      'react-dom': '18.0.0',
    },
    runtimes: ['node-20'],
  },
  {
    name: 'kit-7',
    // These two packages still need kit 7, so a dApp with them has kit 7.
    dependencies: {
      '@solana/kit': '7.0.0',
      '@solana/react': '7.0.0',
      '@solana-program/token-2022': '0.15.0',
      '@solana/sysvars': '7.0.0',
      react: '19.3.1',
      'react-dom': '19.3.1',
      // msw 3 needs Node 22.
      msw: '3.0.5',
    },
    runtimes: ['node-22'],
  },
];
