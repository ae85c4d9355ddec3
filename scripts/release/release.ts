/** Puts a release together from packed packages, and checks that they belong together. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { publishedPackages } from '../published.ts';
import { accountVersions } from './account-versions.ts';
import { sectionOf } from './changelog.ts';
import { builtHashes } from './hashes.ts';
import { notesOf } from './notes.ts';
import { integrityOf, type Packed } from './publish.ts';
import type { Release } from './record.ts';

const CHANGELOG = join(import.meta.dirname, '../../CHANGELOG.md');

/**
 * Returns the packages in the order in which they are published, the notes, and the record without its commit.
 *
 * @throws Error if a published package is missing, versions differ, or the changelog does not describe the version
 */
export async function releaseOf(
  tarballs: readonly { readonly name: string; readonly file: string }[],
): Promise<{ packed: Packed[]; notes: string; record: Omit<Release, 'commit'> }> {
  const packages = publishedPackages();
  const versions = new Set(packages.map(({ version }) => version));
  const [version = ''] = versions;
  if (versions.size !== 1) throw new Error(`The published packages have the versions ${[...versions]}.`);
  const packed = await Promise.all(
    packages.map(async ({ name }) => {
      const file = tarballs.find((each) => each.name === name)?.file;
      if (file === undefined) throw new Error(`${name} is published, but was not packed.`);
      return { name, version, file, integrity: await integrityOf(file) };
    }),
  );
  const changes = sectionOf(await readFile(CHANGELOG, 'utf8'), version);
  if (changes === undefined) throw new Error(`CHANGELOG.md does not describe ${version}.`);
  const notes = notesOf(version, { changes, packed, hashes: await builtHashes() });
  const integrities = Object.fromEntries(packed.map(({ name, integrity }) => [name, integrity]));
  return { packed, notes, record: { version, packages: integrities, accounts: accountVersions() } };
}
