/** The last released SDK as a dApp has it: installed from a registry, with the journey of the commit that it was packed from. */
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { publish } from '../../scripts/release/publish.ts';
import { type Release, readReleases } from '../../scripts/release/record.ts';
import { releaseOf } from '../../scripts/release/release.ts';
import type { Registry } from '../release/registry.ts';
import { DEVELOPED } from './consumers.ts';
import { compileForNode, manifest, npmInstall, REPOSITORY, type Tarball } from './install.ts';

/** The packages that the journey imports. */
const USED = ['@service/sdk', '@service/testing'];
const JOURNEY = 'test/package/consumer';

const [released] = readReleases();

/** What the last release is, in words. */
export const LAST_RELEASE = released
  ? `SDK ${released.version}, the last release`
  : 'the SDK of this commit, because none is released yet';

/** Checks that the tarballs can be released, and uploads nothing. */
export async function tryRelease(tarballs: readonly Tarball[]): Promise<void> {
  const { packed } = await releaseOf(tarballs);
  await publish(packed, { dryRun: true, log: () => undefined });
}

/**
 * Installs the last release in a folder, and compiles its journey to `built`. As long as there is no release, it releases the
 * tarballs to a registry on loopback, so that the same code runs.
 */
export async function installLastRelease(
  folder: string,
  tarballs: readonly Tarball[],
  registry: Registry,
): Promise<void> {
  const release = released ?? (await releaseOnLoopback(tarballs, registry));
  const types = (await manifest('.')).devDependencies['@types/node']!;
  const dependencies = { ...DEVELOPED.dependencies, '@types/node': types };
  await installRelease(folder, release, dependencies, released ? {} : registry.ofScope);
  await copyJourney(join(folder, 'src'), release.commit);
  await compileForNode(folder);
}

async function releaseOnLoopback(tarballs: readonly Tarball[], registry: Registry): Promise<Release> {
  const { packed, record } = await releaseOf(tarballs);
  const used = packed.filter(({ name }) => USED.includes(name));
  await publish(used, { dryRun: false, log: () => undefined, environment: registry.ofScope });
  return { ...record, commit: 'HEAD' };
}

/**
 * Installs the packages of a release in a folder, and checks that the registry has the bytes of the record.
 *
 * @throws Error if it has others
 */
export async function installRelease(
  folder: string,
  { version, packages }: Release,
  dependencies: Readonly<Record<string, string>>,
  environment: NodeJS.ProcessEnv = {},
): Promise<void> {
  const used = USED.filter((name) => name in packages);
  const all = { ...dependencies, ...Object.fromEntries(used.map((name) => [name, version])) };
  await npmInstall(folder, all, environment);
  const lock = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8'));
  for (const name of used) {
    const { integrity } = lock.packages[`node_modules/${name}`];
    if (integrity === packages[name]) continue;
    throw new Error(
      `The registry has ${name}@${version} with ${integrity}, but the record of the release has ${packages[name]}.`,
    );
  }
}

/** Writes the journey as it was at a commit. A later one may use what the release does not have. */
async function copyJourney(folder: string, commit: string): Promise<void> {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: REPOSITORY, encoding: 'utf8' });
  await mkdir(folder, { recursive: true });
  for (const file of git('ls-tree', '--name-only', commit, `${JOURNEY}/`).trim().split('\n'))
    await writeFile(join(folder, basename(file)), git('show', `${commit}:${file}`));
}
