/** The package as a stranger gets it: packed, checked, and installed in an empty folder. */
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);
export const REPOSITORY = resolve(import.meta.dirname, '../..');

/** Runs a command, with its output in the error when it fails. */
export async function run(command: string, parameters: readonly string[], cwd: string, env = {}) {
  try {
    return await execute(command, parameters, {
      cwd,
      env: { ...process.env, ...env },
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${parameters.join(' ')} failed\n${stdout}${stderr}`, { cause: error });
  }
}

/** Runs a command line tool of the repository's own dependencies. */
export const tool = (name: string, parameters: readonly string[], cwd: string) =>
  run(resolve(REPOSITORY, 'node_modules/.bin', name), parameters, cwd);

/** Builds and packs the SDK; returns the tarball. */
export async function pack(folder: string): Promise<string> {
  const { stdout } = await run(
    'npm',
    [
      'pack',
      '--workspace=@service/sdk',
      '--json',
      // The build's own lines would stand before the JSON.
      '--foreground-scripts=false',
      `--pack-destination=${folder}`,
    ],
    REPOSITORY,
  );
  const [packed] = JSON.parse(stdout) as {
    filename: string;
    files: { path: string }[];
  }[];
  const strays = packed!.files
    .map(({ path }) => path)
    .filter((path) => !/^(dist\/.*\.(js|d\.ts)|package\.json|README\.md|docs\/.+\.md|LICENSE)$/.test(path));
  if (strays.length > 0) throw new Error(`the tarball holds ${strays.join(', ')}`);
  return join(folder, packed!.filename);
}

/** What a tarball imports is what it declares, in code and declarations; publint and are-the-types-wrong have nothing to say. */
export async function lint(tarball: string): Promise<void> {
  const { dependencies = {}, peerDependencies = {} } = await manifest('packages/sdk');
  const { stdout } = await run('tar', ['-xOzf', tarball, '--wildcards', '*.js', '*.d.ts'], REPOSITORY);
  const imported = stdout.matchAll(/(?:from|import\()\s*["']((?:@[^/"']+\/)?[^."'#/][^"'/]*)[^"']*["']/g);
  for (const [, name = ''] of imported) {
    if (name.startsWith('node:') || name in dependencies || name in peerDependencies) continue;
    throw new Error(`the tarball imports ${name}, which it does not declare`);
  }
  await tool('publint', ['run', tarball, '--strict'], REPOSITORY);
  // ESM only: what require() and old resolvers would see is no concern.
  await tool('attw', [tarball, '--profile', 'esm-only', '--no-emoji'], REPOSITORY);
}

async function manifest(folder: string) {
  const text = await readFile(join(REPOSITORY, folder, 'package.json'), 'utf8');
  return JSON.parse(text) as Record<
    'dependencies' | 'devDependencies' | 'peerDependencies',
    Record<string, string>
  >;
}

/** Installs the tarball and its peers in a folder, and copies the consumer there. */
export async function install(folder: string, tarball: string): Promise<void> {
  const [root, sdk] = await Promise.all([manifest('.'), manifest('packages/sdk')]);
  await npmInstall(folder, {
    '@service/sdk': `file:${tarball}`,
    '@solana/kit': sdk.devDependencies['@solana/kit']!,
    // The declarations of kit's own transport need it.
    '@types/node': root.devDependencies['@types/node']!,
  });
  await cp(join(import.meta.dirname, 'consumer'), join(folder, 'src'), { recursive: true });
}

/** Installs Node of some versions in a folder: the binaries that the npm package `node` would fetch in its install script. */
export async function installNodes(folder: string, versions: readonly string[]): Promise<void> {
  const binary = (version: string) => [
    nodeOf(version),
    `npm:node-${process.platform}-${process.arch}@${version}`,
  ];
  await npmInstall(folder, Object.fromEntries(versions.map(binary)));
}

/** The name under which a version of Node is installed. */
export const nodeOf = (version: string) => `node-${version.split('.')[0]}`;

async function npmInstall(folder: string, dependencies: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(folder, { recursive: true });
  const text = JSON.stringify({ name: 'consumer', private: true, type: 'module', dependencies });
  await writeFile(join(folder, 'package.json'), text);
  await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline'], folder);
}

const STRICT = {
  strict: true,
  types: ['node'],
  target: 'ES2022',
  lib: ['ES2023', 'DOM'],
};

/** Compiles the consumer as a bundler's user and as Node's user does, for one of them with all declarations checked too. */
export async function compile(folder: string): Promise<void> {
  const compilations = Object.entries({
    bundler: { module: 'ESNext', moduleResolution: 'bundler', skipLibCheck: false, noEmit: true },
    node: {
      module: 'NodeNext',
      moduleResolution: 'NodeNext',
      skipLibCheck: true,
      outDir: 'built',
      rootDir: 'src',
    },
  }).map(async ([name, options]) => {
    const file = `tsconfig.${name}.json`;
    await writeFile(
      join(folder, file),
      JSON.stringify({ compilerOptions: { ...STRICT, ...options }, include: ['src'] }),
    );
    await tool('tsc', ['-p', file], folder);
  });
  await Promise.all(compilations);
}
