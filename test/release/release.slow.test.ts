/** The release with npm itself, against a registry on loopback. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { publishedPackages } from '../../scripts/published.ts';
import { integrityOf, type Packed, publish } from '../../scripts/release/publish.ts';
import { installRelease } from '../package/last-release.ts';
import { type Registry, startRegistry } from './registry.ts';

const run = promisify(execFile);
let registry: Registry;
let folder: string;
let lines: string[];
beforeEach(async () => {
  [registry, folder, lines] = [await startRegistry(), await mkdtemp(join(tmpdir(), 'release-')), []];
});
afterEach(async () => {
  await registry.close();
  await rm(folder, { recursive: true });
});

async function packed(name: string, content = '1', version = '0.1.0'): Promise<Packed> {
  const source = join(folder, name.replace('/', '-'));
  await mkdir(source, { recursive: true });
  await writeFile(join(source, 'package.json'), JSON.stringify({ name, version, type: 'module' }));
  await writeFile(join(source, 'index.js'), `export default ${content};\n`);
  const { stdout } = await run('npm', ['pack', '--json', `--pack-destination=${folder}`], {
    cwd: source,
    env: registry.environment,
  });
  const file = join(folder, JSON.parse(stdout)[0].filename);
  return { name, version, file, integrity: await integrityOf(file) };
}

const publishing = (packages: readonly Packed[], dryRun = false) =>
  publish(packages, {
    dryRun,
    log: (line) => void lines.push(line),
    environment: registry.environment,
  });

describe('a release', () => {
  it('is published in its order, and continues after it was stopped', async () => {
    const packages = [await packed('@service/sdk'), await packed('@service/testing')];
    registry.failOnce();
    await expect(publishing(packages)).rejects.toThrow('refused once');
    expect(registry.published).toEqual([]);
    await publishing(packages.slice(0, 1));
    await publishing(packages);
    expect(registry.published).toEqual(['@service/sdk@0.1.0', '@service/testing@0.1.0']);
    expect(lines).toContain('@service/sdk@0.1.0 is published already');
    await publishing(packages);
    expect(registry.published).toHaveLength(2);
  });

  it('is refused if the registry has other bytes of its version', async () => {
    await publishing([await packed('@service/sdk')]);
    const other = await packed('@service/sdk', '2');
    await expect(publishing([other])).rejects.toThrow('The registry has other bytes of @service/sdk@0.1.0.');
  });

  it('before a version is not what npm installs without a tag', async () => {
    await publishing([await packed('@service/sdk')]);
    await publishing([await packed('@service/sdk', '2', '0.2.0-rc.1')]);
    expect(registry.tagsOf('@service/sdk')).toEqual({ latest: '0.1.0', next: '0.2.0-rc.1' });
  });

  it('that is tried uploads nothing', async () => {
    await publishing([await packed('@service/sdk')], true);
    expect(registry.published).toEqual([]);
    expect(lines.at(-1)).toMatch(/^would publish @service\/sdk@0\.1\.0 sha512-/);
  });
});

it('of a small change has the next minor version in all packages', async () => {
  const root = join(import.meta.dirname, '../..');
  const manifests = [...publishedPackages().map(({ folder }) => folder), '.']
    .map((each) => join(each, 'package.json'))
    .concat('.changeset/config.json');
  for (const file of manifests) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await cp(join(root, file), join(folder, file));
  }
  // The others are private, and have no changes.
  const top = join(folder, 'package.json');
  const { workspaces: _, ...manifest } = JSON.parse(await readFile(top, 'utf8'));
  await writeFile(top, JSON.stringify({ ...manifest, workspaces: ['packages/*'] }));
  const change = "---\n'@service/sdk': minor\n---\n\nAdd a call.\n";
  await writeFile(join(folder, '.changeset/add-a-call.md'), change);
  await run('git', ['init', '--quiet', folder]);
  await run(join(root, 'node_modules/.bin/changeset'), ['version'], { cwd: folder });
  const [before] = publishedPackages();
  const [major, minor] = before!.version.split('.');
  const next = `${major}.${Number(minor) + 1}.0`;
  expect(new Set(publishedPackages(folder).map(({ version }) => version))).toEqual(new Set([next]));
});

describe('the packages of the last release', () => {
  it('are installed only with the bytes of the record', async () => {
    const { integrity, ...sdk } = await packed('@service/sdk');
    await publishing([{ ...sdk, integrity }]);
    const release = { version: '0.1.0', commit: '', accounts: {} };
    const env = registry.environment;
    const packages = { '@service/sdk': integrity };
    await installRelease(join(folder, 'a'), { ...release, packages }, {}, env);
    const others = { '@service/sdk': integrity.replace(/.{8}$/, 'AAAAAA==') };
    const installed = installRelease(join(folder, 'b'), { ...release, packages: others }, {}, env);
    await expect(installed).rejects.toThrow('but the record of the release has');
  });
});
