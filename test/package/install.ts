/** The packages as a consumer gets them: packed, checked, and installed in an empty folder. */
import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Consumer, RUNTIMES, type Runtime } from './consumers.ts';

const execute = promisify(execFile);
export const REPOSITORY = resolve(import.meta.dirname, '../..');

/** The package of the command line. */
export const COMMAND = '@service/cli';
/** The package of the server. */
export const SERVER = '@service/server';
/** The package of the verifier. */
export const VERIFIER = '@service/verifier';
/** The package of `npm create`. */
export const CREATE = '@service/create';

/** Folders of the packages that are published, by package name. */
const PUBLISHED: Readonly<Record<string, string>> = {
  '@service/sdk': 'packages/sdk',
  '@service/testing': 'packages/testing',
  [COMMAND]: 'packages/cli',
  // After the SDK, with which its page is built.
  [SERVER]: 'packages/server',
  [VERIFIER]: 'packages/verifier',
  [CREATE]: 'packages/create',
};

/** The files that a tarball may contain. */
const FILES = /^(dist\/.*\.(js|d\.ts)|package\.json|README\.md|docs\/.+\.md|LICENSE(-APACHE|-MIT)?)$/;
/** Programs, which nothing imports. */
export const PROGRAMS: ReadonlySet<string> = new Set([COMMAND, SERVER, VERIFIER, CREATE]);

/** The proof artifacts. */
const ARTIFACTS = 'artifacts\\/(manifest\\.json|eligibility\\..+)';
/** More files, by package: program and proof artifacts, the page and the viewer of the API, and the template of the app. */
const MORE_FILES: Readonly<Record<string, RegExp>> = {
  [COMMAND]: new RegExp(`^(dist/artifact/program\\.so(\\.sha256)?|circuits/[\\w-]+\\.circom|${ARTIFACTS})$`),
  [SERVER]: new RegExp(
    `^(dist/swagger-ui/[\\w.-]+|pages/(assets/[\\w-]+\\.(js|css|wasm)|favicon\\.svg|index\\.html)|${ARTIFACTS})$`,
  ),
  [VERIFIER]: /^policy\.json$/,
  [CREATE]:
    /^dist\/template\/(README\.md|(src\/)?[\w-]+(\.config)?\.(tsx?|css)|index\.html|(package|tsconfig)\.json)$/,
};

/** The code of a tarball. The template is code of the app, which has a package.json of its own. Pages are bundled already. */
const CODE = [
  ...['--exclude=package/dist/template', '--exclude=package/dist/swagger-ui', '--exclude=package/pages'],
  ...['--wildcards', '*.[jt]s'],
];

/** A packed package: its name and the path of its file. */
export type Tarball = Readonly<Record<'name' | 'file', string>>;

/**
 * The environment of a person's shell. Vite sets NODE_ENV to production in this process when it bundles here. The development
 * server of an app would inherit that, and the app would then register no development wallet.
 */
export const SHELL: NodeJS.ProcessEnv = { ...process.env, NODE_ENV: undefined };

/** Runs a command. Throws an error with its output when it fails. */
export async function run(command: string, parameters: readonly string[], cwd: string, env = {}) {
  try {
    const options = { cwd, env: { ...SHELL, ...env }, maxBuffer: 64 * 1024 * 1024 };
    return await execute(command, parameters, options);
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${parameters.join(' ')} failed\n${stdout}${stderr}`, { cause: error });
  }
}

/** Runs a command line tool of the repository's own dependencies. */
export const tool = (name: string, parameters: readonly string[], cwd: string) =>
  run(resolve(REPOSITORY, 'node_modules/.bin', name), parameters, cwd);

/**
 * Compiles with a compiler of the repository's own dependencies: the newest one, which most dApps install, or an older one.
 */
export const tsc = (
  parameters: readonly string[],
  cwd: string,
  compiler: 'typescript' | 'typescript-7' = 'typescript-7',
) => run(process.execPath, [resolve(REPOSITORY, 'node_modules', compiler, 'bin/tsc'), ...parameters], cwd);

/** Builds and packs the published packages. */
export async function pack(folder: string): Promise<Tarball[]> {
  const workspaces = Object.keys(PUBLISHED).map((name) => `--workspace=${name}`);
  // Keeps the output of the build out of the JSON.
  const options = ['--json', '--foreground-scripts=false', `--pack-destination=${folder}`];
  const { stdout } = await run('npm', ['pack', ...workspaces, ...options], REPOSITORY);
  const packed = JSON.parse(stdout) as { name: string; filename: string; files: { path: string }[] }[];
  for (const { name, files } of packed) {
    const paths = files.map(({ path }) => path);
    const isAllowed = (path: string) => FILES.test(path) || MORE_FILES[name]?.test(path) === true;
    const strays = paths.filter((path) => !isAllowed(path));
    if (strays.length > 0) throw new Error(`the tarball of ${name} must not contain ${strays.join(', ')}`);
    // The app's package contains no code of others.
    const licences = name === CREATE ? ['LICENSE'] : ['LICENSE', 'LICENSE-APACHE'];
    for (const path of ['README.md', ...licences]) {
      if (!paths.includes(path)) throw new Error(`the tarball of ${name} has no ${path}`);
    }
  }
  return packed.map(({ name, filename }) => ({ name, file: join(folder, filename) }));
}

/** Returns the tarballs of a folder. @throws Error if one is missing, or another version of it is there too */
export async function packedIn(folder: string): Promise<Tarball[]> {
  const files = await readdir(folder);
  return Object.keys(PUBLISHED).map((name) => {
    const [file, another] = files.filter((each) => each.startsWith(`${name.slice(1).replace('/', '-')}-`));
    if (!file || another)
      throw new Error(`${folder} must have one tarball of ${name}. Make it with tsx test/package/pack.ts.`);
    return { name, file: join(folder, file) };
  });
}

/** Checks that a tarball declares what it imports, in code and declarations, and that publint and attw accept it. */
export async function lint({ name, file }: Tarball): Promise<void> {
  const {
    dependencies = {},
    optionalDependencies = {},
    peerDependencies = {},
  } = await manifest(PUBLISHED[name]!);
  const declared = { ...dependencies, ...optionalDependencies, ...peerDependencies };
  const { stdout } = await run('tar', ['-xOzf', file, ...CODE], REPOSITORY);
  // A specifier has no spaces, but a text that ends in "from" is often followed by some.
  const imports = stdout.matchAll(
    /(?:from|import\()\s*["']((?:@[^/"'\s]+\/)?[^."'#/\s][^"'/\s]*)[^"'\s]*["']/g,
  );
  for (const [, imported = ''] of imports) {
    if (isBuiltin(imported) || imported in declared) continue;
    throw new Error(`${name} imports ${imported}, but package.json does not declare it`);
  }
  await rejectWholeZod({ name, file });
  await tool('publint', ['run', file, '--strict'], REPOSITORY);
  // Programs have no types.
  if (PROGRAMS.has(name)) return;
  // The packages are ESM only, so what require() and old resolvers would find does not matter.
  await tool('attw', [file, '--profile', 'esm-only', '--no-emoji'], REPOSITORY);
}

/** Throws if the code of the SDK imports zod. It must contain the used parts, because Node would load all of zod. */
async function rejectWholeZod({ name, file }: Tarball): Promise<void> {
  const { stdout } = await run('tar', ['-xOzf', file, '--wildcards', '*.js'], REPOSITORY);
  if (name === '@service/sdk' && /from\s*["']zod\b/.test(stdout))
    throw new Error(`the code of ${name} imports zod. Bundle it: see noExternal in its tsup.config.ts`);
}

type Manifest = Record<
  'dependencies' | 'devDependencies' | 'optionalDependencies' | 'peerDependencies',
  Record<string, string>
>;

/** Reads the package.json of a folder of the repository. */
export async function manifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(REPOSITORY, folder, 'package.json'), 'utf8'));
}

/** Installs the tarballs and a consumer's dependencies in a folder. */
export async function install(
  folder: string,
  tarballs: readonly Tarball[],
  dependencies: Consumer['dependencies'],
): Promise<void> {
  const { devDependencies } = await manifest('.');
  await npmInstall(folder, {
    ...Object.fromEntries(tarballs.map(({ name, file }) => [name, `file:${file}`])),
    ...dependencies,
    // The declarations of kit's own transport need it.
    '@types/node': devDependencies['@types/node']!,
  });
}

/** Copies the code of a consumer, or the page of a framework, into its folder. */
export async function copyCode(from: string, folder: string): Promise<void> {
  await cp(join(import.meta.dirname, from), folder, { recursive: true });
}

/** Installs all runtimes in a folder, and returns what runs a script with each. */
export async function installRuntimes(folder: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const entries = Object.entries(RUNTIMES);
  const aliases = entries.map(
    ([
      name,
      {
        dependency: [of, version],
      },
    ]) => [name, `npm:${of}@${version}`],
  );
  await npmInstall(folder, Object.fromEntries(aliases));
  const commandOf = (name: string, { binary, parameters }: Runtime) => [
    join(folder, 'node_modules', name, binary),
    ...parameters,
  ];
  return Object.fromEntries(entries.map(([name, runtime]) => [name, commandOf(name, runtime)]));
}

/** Installs dependencies, by name, in a folder. */
export async function npmInstall(
  folder: string,
  dependencies: Readonly<Record<string, string>>,
  environment: NodeJS.ProcessEnv = {},
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const text = JSON.stringify({ name: 'consumer', private: true, type: 'module', dependencies });
  await writeFile(join(folder, 'package.json'), text);
  await installManifest(folder, environment);
}

/** Installs what the package.json of a folder names. */
export async function installManifest(folder: string, environment: NodeJS.ProcessEnv = {}): Promise<void> {
  const options = ['--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline'];
  await run('npm', ['install', ...options], folder, environment);
}

const STRICT = { strict: true, types: ['node'], target: 'ES2022', lib: ['ES2023', 'DOM', 'DOM.Iterable'] };

/** Compiles the consumer for bundlers, where each compiler checks all declarations, and for Node. */
export async function compile(folder: string): Promise<void> {
  const bundler = { module: 'ESNext', skipLibCheck: false, noEmit: true };
  await Promise.all([
    compileFor(folder, 'bundler', bundler),
    compileFor(folder, 'bundler', bundler, 'typescript'),
    compileForNode(folder),
  ]);
}

/** Compiles the consumer to `built`, which Node runs. */
export function compileForNode(folder: string): Promise<void> {
  return compileFor(folder, 'NodeNext', {
    module: 'NodeNext',
    skipLibCheck: true,
    outDir: 'built',
    rootDir: 'src',
  });
}

async function compileFor(
  folder: string,
  moduleResolution: string,
  options: object,
  compiler?: 'typescript',
): Promise<void> {
  const file = `tsconfig.${moduleResolution}.${compiler ?? 'newest'}.json`;
  const compilerOptions = { ...STRICT, moduleResolution, ...options };
  await writeFile(join(folder, file), JSON.stringify({ compilerOptions, include: ['src'] }));
  await tsc(['-p', file], folder, compiler);
}
