/** Builds the package and checks it as a bundler for pages and as Node see it. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };

const execute = promisify(execFile);
const sdk = path.resolve(import.meta.dirname, '..');
const repository = path.resolve(sdk, '../..');
const declared = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });

let home: string;
let installed: string;
let dist: string;

/** Runs a script with Node in the folder where the package is installed. */
const runNode = (...parameters: string[]) => execute(process.execPath, parameters, { cwd: home });
/** Runs code with Node as a module there. */
const evaluate = (code: string) => runNode('--input-type=module', '-e', code);

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'sdk-dist-'));
  installed = path.join(home, 'node_modules/@service/sdk');
  dist = path.join(installed, 'dist');
  // The folder contains only the dist of the package and its declared dependencies.
  const tsup = path.join(repository, 'node_modules/tsup/dist/cli-default.js');
  await execute(process.execPath, [tsup, '--out-dir', dist], { cwd: sdk });
  await cp(path.join(sdk, 'package.json'), path.join(installed, 'package.json'));
  for (const name of declared) {
    const link = path.join(home, 'node_modules', name);
    await mkdir(path.dirname(link), { recursive: true });
    await symlink(path.join(repository, 'node_modules', name), link);
  }
});
afterAll(() => rm(home, { recursive: true }));

/** Returns the text of every script of the dist. */
async function distTexts(): Promise<string[]> {
  const files = (await readdir(dist, { recursive: true })).filter((name) => name.endsWith('.js'));
  return Promise.all(files.map((name) => readFile(path.join(dist, name), 'utf8')));
}

/** Bundles code for a browser. */
const bundle = (contents: string, splitting = true) =>
  esbuild.build({
    stdin: { contents, resolveDir: home },
    outdir: path.join(home, 'unused'),
    bundle: true,
    write: false,
    splitting,
    minify: true,
    platform: 'browser',
    format: 'esm',
    metafile: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    external: ['snarkjs'],
  });

/** Bundles code for a browser. Returns the inputs of the chunks that load at first, and of the others. */
async function browserChunks(contents: string) {
  const result = await bundle(contents);
  const { outputs } = result.metafile;
  const first = Object.keys(outputs).find((name) => outputs[name]?.entryPoint === '<stdin>')!;
  const atOnce = new Set([first]);
  for (const name of atOnce) {
    const imports = outputs[name]!.imports.filter(({ kind }) => kind === 'import-statement');
    for (const { path: imported } of imports) if (outputs[imported]) atOnce.add(imported);
  }
  const inputs = (names: string[]) =>
    names.flatMap((name) => Object.keys(outputs[name]?.inputs ?? {})).join('\n');
  return {
    chunks: Object.values(outputs).map(({ inputs: of }) => Object.keys(of)),
    first: inputs([...atOnce]),
    later: inputs(Object.keys(outputs).filter((name) => !atOnce.has(name))),
    imports: Object.values(outputs).flatMap((output) => output.imports.map((entry) => entry.path)),
    text: result.outputFiles.map((file) => file.text).join('\n'),
  };
}

describe('in a browser', () => {
  const clientOnly = "import { ServiceClient } from '@service/sdk'; console.log(ServiceClient);";

  it('a page does not load Poseidon, snarkjs or Node code at first, and the prover is a separate chunk', async () => {
    const { first, later, imports, text } = await browserChunks(
      "import * as sdk from '@service/sdk'; import * as chain from '@service/sdk/chain'; console.log(sdk, chain);",
    );
    expect(first).toContain('sdk/dist/platform/browser.js');
    expect(first).not.toMatch(/poseidon|snarkjs|prover-/);
    expect(later).toMatch(/poseidon/);
    expect(imports).toContain('snarkjs');
    expect(`${first}${later}`).not.toContain('platform/node');
    expect(text).not.toMatch(/["']node:/);
    // A page has no process.
    expect(text).not.toMatch(/process\.env/);
  });

  it('a client does not load kit at first: the code that reads the chain and signs is a separate chunk', async () => {
    const { first, later } = await browserChunks(clientOnly);
    // The build contains the parts of zod that it uses.
    expect(first).not.toMatch(/@solana|tweetnacl|chain-chunk|node_modules\/zod/);
    expect(later).toMatch(/chain-chunk/);
    expect(later).toMatch(/@solana\/errors/);
  });

  it('tweetnacl is a separate chunk, which a platform with Ed25519 does not load', async () => {
    const { chunks } = await browserChunks(clientOnly);
    const holders = chunks.filter((inputs) => inputs.some((input) => input.includes('/tweetnacl/')));
    expect(holders).toHaveLength(1);
    const others = holders[0]!.filter((input) => !input.includes('/tweetnacl/') && !input.startsWith('('));
    expect(others).toEqual([]);
  });

  it.each(['isServiceError', 'ServiceError', 'REGIONS', 'isRegionCode', 'OPERATION_STATES'])(
    '%s alone is at most 3 KB and loads no schema',
    async (name) => {
      const code = `import { ${name} } from '@service/sdk'; console.log(${name});`;
      const { outputFiles, metafile } = await bundle(code, false);
      const [output] = Object.values(metafile.outputs);
      const used = Object.entries(output!.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
      const heavy = /node_modules\/(zod|@solana|tweetnacl)\//;
      expect(used.map(([file]) => file).join()).not.toMatch(heavy);
      expect((await browserChunks(code)).first).not.toMatch(heavy);
      expect(gzipSync(outputFiles[0]!.contents, { level: 9 }).length).toBeLessThan(3_000);
    },
  );
});

describe('in Node', () => {
  it('every entry can be imported with the declared dependencies alone', async () => {
    const entries = Object.keys(manifest.exports).filter((name) => name !== './package.json');
    const code = entries.map((name) => `await import('${path.posix.join('@service/sdk', name)}');`).join('');
    await evaluate(code);
    expect(entries).toEqual(['.', './chain', './node', './query', './react']);
  });

  it('a missing chunk, as after an update of the site, is an error with a code', async () => {
    const chunk = (await readdir(dist)).find((name) => name.startsWith('chain-chunk-'))!;
    const code = `import { ServiceClient } from '@service/sdk';
      const key = '1'.repeat(32);
      const deployment = { program: key, genesisHash: key, artifactsDigest: '0'.repeat(64), rpcUrl: 'http://localhost',
        verifierOrigins: [], baseUrl: 'http://localhost' };
      const error = await new ServiceClient({ deployment }).authenticate({}, key).catch((error) => error);
      console.log(error.code, error.retryable);`;
    await rename(path.join(dist, chunk), path.join(home, chunk));
    const gone = await evaluate(code);
    await rename(path.join(home, chunk), path.join(dist, chunk));
    expect(gone.stdout).toBe('NETWORK_ERROR true\n');
    expect((await evaluate(code)).stdout).toBe('INVALID_ARGUMENT false\n');
  });

  it('no private package is imported, and an import adds no global', async () => {
    expect((await distTexts()).join('\n')).not.toMatch(/from ["']@service\//);
    // Only zod may add a global, for its registry. Symbols of Node are not counted.
    const code = `const before = new Set(Object.getOwnPropertyNames(globalThis));
      await import('@service/sdk'); await import('@service/sdk/chain');
      const added = Object.getOwnPropertyNames(globalThis).filter((key) => !before.has(key) && !/^__zod_/.test(key));
      if (added.length > 0) throw new Error(added.join());`;
    await evaluate(code);
  });

  it('every package that the dist imports is declared', async () => {
    const imported = new Set<string>();
    for (const text of await distTexts()) {
      for (const [, found] of text.matchAll(/(?:from|import\()\s*["']([^."'#][^"']*)["']/g)) {
        const [name] = /^(@[^/]+\/)?[^/]+/.exec(found!)!;
        if (!name.startsWith('node:')) imported.add(name);
      }
    }
    expect([...imported].filter((name) => !declared.includes(name))).toEqual([]);
    expect(imported.size).toBeGreaterThan(5);
  });
});
