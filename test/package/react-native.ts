/** An app of React Native: bundled by Metro as the tools of React Native configure it, compiled by hermesc, and run. */
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Stack } from '@service/development';
import { newerThanFloor } from '../platform/floor.ts';
import { isNeededByNode } from '../platform/needed-by-node.ts';
import { developedWith } from './consumers.ts';
import { copyCode, npmInstall, run, type Tarball, tsc } from './install.ts';

/** Exact versions of the tools of React Native 0.86. They run on Node 20.19, and their packages hold all binaries. */
const TOOLS: Readonly<Record<string, string>> = {
  '@react-native/babel-preset': '0.86.3',
  '@react-native/metro-config': '0.86.3',
  'hermes-compiler': '250829098.0.17',
  metro: '0.84.6',
};

/** The folder of hermesc in its package, by the platform of Node. */
const FOLDERS: Readonly<Record<string, string>> = {
  darwin: 'osx-bin',
  linux: 'linux64-bin',
  win32: 'win64-bin',
};

/**
 * Does what `npx react-native bundle` does, without the modules of React Native itself. One platform is enough, because no
 * file of the SDK differs between them.
 */
const METRO = `
const Metro = require('metro');
const { getDefaultConfig } = require('@react-native/metro-config');
const config = getDefaultConfig(__dirname);
Object.assign(config, { maxWorkers: 2, cacheStores: [], reporter: { update: ({ error }) => error && console.error(error) } });
config.serializer.getModulesRunBeforeMainModule = () => [];
Metro.runBuild(config, { entry: 'built/react-native/app.js', out: 'app.js', platform: 'android', dev: false, minify: false });
`;

/** What the bundle must not contain. Metro cannot bundle snarkjs, hermesc rejects import.meta, and Hermes has no WebAssembly. */
const FORBIDDEN = /import\.meta|node_modules\/snarkjs|WebAssembly\.(compile|instantiate)/;

/** Globals that neither Hermes nor React Native has, and that the SDK needs no polyfill for. */
const LACKING = [
  ...[
    'Atomics',
    'BroadcastChannel',
    'CompressionStream',
    'CustomEvent',
    'DecompressionStream',
    'DOMException',
  ],
  ...['MessageChannel', 'SharedArrayBuffer', 'structuredClone', 'WebAssembly'],
];

/** Installs the SDK, compiles the app, bundles it, and compiles the bundle for Hermes. */
export async function buildApp(folder: string, tarballs: readonly Tarball[], kit: string): Promise<void> {
  const { file } = tarballs.find(({ name }) => name === '@service/sdk')!;
  const types = developedWith('package.json')['@types/node']!;
  await npmInstall(folder, {
    ...TOOLS,
    '@service/sdk': `file:${file}`,
    '@solana/kit': kit,
    '@types/node': types,
  });
  for (const file of ['consumer/get-pass.ts', 'consumer/visit.ts'])
    await copyCode(file, join(folder, 'src', file));
  await copyCode('react-native', join(folder, 'src/react-native'));
  const compilerOptions = {
    ...{ strict: true, types: ['node'], target: 'ES2022', lib: ['ES2023', 'DOM'], skipLibCheck: true },
    ...{ module: 'ESNext', moduleResolution: 'bundler', rootDir: 'src', outDir: 'built' },
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
  await tsc([], folder);
  const preset = "module.exports = { presets: ['@react-native/babel-preset'] };";
  await writeFile(join(folder, 'babel.config.cjs'), preset);
  await writeFile(join(folder, 'metro.cjs'), METRO);
  await run(process.execPath, ['metro.cjs'], folder);
  const found = FORBIDDEN.exec(await readFile(join(folder, 'app.js'), 'utf8'))?.[0];
  if (found) throw new Error(`the bundle for React Native contains ${found}`);
  const hermes = createRequire(join(folder, 'package.json')).resolve('hermes-compiler');
  const hermesc = join(dirname(hermes), 'hermesc', FOLDERS[process.platform]!, 'hermesc');
  await run(hermesc, ['-w', '-O', '-emit-binary', '-out', 'app.hbc', 'app.js'], folder);
}

/** Runs the app without what Hermes lacks. Throws unless it gets a pass. */
export async function runApp(folder: string, deployment: Stack['deployment']): Promise<void> {
  const file = join(folder, 'host.json');
  const removed = [...LACKING, ...newerThanFloor().filter((name) => !isNeededByNode(name))];
  await writeFile(file, JSON.stringify({ bundle: join(folder, 'app.js'), deployment, removed }));
  const { stdout } = await run(process.execPath, ['built/react-native/host.js', file], folder);
  if (!/^\w{32,44}\n$/.test(stdout)) throw new Error(`the app of React Native ended with ${stdout}`);
}
