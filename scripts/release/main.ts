/** `.ci/release STEP`: makes a release of the published packages, all in one version. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { lint, pack } from '../../test/package/install.ts';
import { publishedPackages } from '../published.ts';
import { type Change, withRelease } from './changelog.ts';
import { releasedCommit } from './commit.ts';
import { publish } from './publish.ts';
import { readReleases, recordRelease } from './record.ts';
import { releaseOf } from './release.ts';

const HELP = `.ci/release STEP [options]

  version               takes the changes of npx changeset: writes versions and CHANGELOG.md
  publish               packs, checks and publishes the commit that has the tag of its version, and records it
    --dry-run           checks everything, and uploads and records nothing
    --notes FILE        writes the notes of the release. Default: release-notes.md

A release has four steps:
  1. .ci/release version, and commit the result
  2. .ci/run --full on this commit
  3. git tag vVERSION, and .ci/release publish. It can be repeated after it was killed
  4. commit the record, scripts/release/released.json`;

const ROOT = join(import.meta.dirname, '../..');
const CHANGELOG = join(ROOT, 'CHANGELOG.md');

try {
  await run();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      'dry-run': { type: 'boolean', default: false },
      notes: { type: 'string', default: 'release-notes.md' },
      help: { type: 'boolean' },
    },
    allowPositionals: true,
  });
  const [step] = positionals;
  if (values.help) console.log(HELP);
  else if (step === 'version') await version();
  else if (step === 'publish') await publishHead(values['dry-run'], values.notes);
  else {
    console.error(HELP);
    process.exitCode = 2;
  }
}

async function version(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'release-'));
  try {
    const isFirst = readReleases().length === 0;
    const described = (await readdir(join(ROOT, '.changeset'))).filter((name) =>
      /^(?!README).*\.md$/.test(name),
    );
    if (isFirst && described.length > 0) {
      // changesets would raise a version that nobody has.
      throw new Error(
        `Nothing is released yet. Move the text of .changeset/${described.join(', ')} to CHANGELOG.md, and delete the files.`,
      );
    }
    const changes = isFirst ? [] : await plannedChanges(folder);
    if (!isFirst) changeset('version');
    const [{ version } = { version: '' }] = publishedPackages();
    const date = new Date().toISOString().slice(0, 10);
    await writeFile(CHANGELOG, withRelease(await readFile(CHANGELOG, 'utf8'), { version, date, changes }));
    if (!isFirst) execFileSync('npm', ['install', '--package-lock-only'], { cwd: ROOT, stdio: 'inherit' });
    console.log(`${version} is in CHANGELOG.md. Read it, run npm run generate, and commit.`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Returns the changes that changesets describe, each once. Throws if there is none. */
async function plannedChanges(folder: string): Promise<Change[]> {
  // changesets takes a path from the top of the repository only.
  const file = join(folder, 'plan.json');
  changeset('status', '--output', relative(ROOT, file));
  const { changesets } = JSON.parse(await readFile(file, 'utf8')) as {
    changesets: { summary: string; releases: { type: Change['type'] }[] }[];
  };
  const order = ['major', 'minor', 'patch'] as const;
  return changesets.map(({ summary, releases }) => ({
    summary,
    type: order.find((type) => releases.some((each) => each.type === type)) ?? 'patch',
  }));
}

function changeset(...args: string[]): void {
  execFileSync(join(ROOT, 'node_modules/.bin/changeset'), args, { cwd: ROOT, stdio: 'inherit' });
}

async function publishHead(dryRun: boolean, notes: string): Promise<void> {
  const commit = dryRun ? undefined : releasedCommit(ROOT, publishedPackages()[0]!.version);
  const folder = await mkdtemp(join(tmpdir(), 'release-'));
  try {
    const tarballs = await pack(folder);
    await Promise.all(tarballs.map(lint));
    const release = await releaseOf(tarballs);
    await writeFile(notes, release.notes);
    await publish(release.packed, { dryRun, log: console.log });
    if (commit !== undefined) recordRelease({ ...release.record, commit });
    console.log(`${notes} has the notes of the release.`);
  } finally {
    await rm(folder, { recursive: true });
  }
}
