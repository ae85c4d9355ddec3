/** The notes of a release. */
import type { Hash } from './hashes.ts';
import type { Packed } from './publish.ts';

/** Returns the notes in Markdown: the changes, the tarballs, and the hashes of what was built. */
export function notesOf(
  version: string,
  { changes, packed, hashes }: { changes: string; packed: readonly Packed[]; hashes: readonly Hash[] },
): string {
  return [
    `# ${version}`,
    '',
    changes,
    '',
    '## Packages',
    '',
    '| package | integrity of its tarball |',
    '| --- | --- |',
    ...packed.map(({ name, integrity }) => `| \`${name}@${version}\` | \`${integrity}\` |`),
    '',
    '## Build it again',
    '',
    'Each command builds from the sources of this release, and fails if the bytes differ. The first two need Debian 12, and once',
    '`npm run toolchain -w @service/program`. `.ci/rebuild` runs these two in a clean Debian, twice.',
    '',
    '| what | SHA-256 | compiler | command |',
    '| --- | --- | --- | --- |',
    ...hashes.map(
      ({ what, sha256, compiler, command }) => `| ${what} | \`${sha256}\` | ${compiler} | \`${command}\` |`,
    ),
    '',
  ].join('\n');
}
