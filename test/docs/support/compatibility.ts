/** Makes the table of compatible versions in CHANGELOG.md, from the record of the releases and from this commit. */
import { publishedPackages } from '../../../scripts/published.ts';
import { accountVersions } from '../../../scripts/release/account-versions.ts';
import { type Release, readReleases } from '../../../scripts/release/record.ts';

const BEGIN = '<!-- Made from scripts/release/released.json by npm run generate. -->';
const END = '<!-- End of the made table. -->';

type Row = Pick<Release, 'version' | 'accounts'>;

/** Returns the changelog with a new table. Throws if it has no place for the table. */
export function withCompatibility(
  page: string,
  releases: readonly Row[] = readReleases(),
  current: Row = { version: publishedPackages()[0]!.version, accounts: accountVersions() },
): string {
  const [start, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (start < 0 || end < start) throw new Error('CHANGELOG.md has no place for the table of versions.');
  return `${page.slice(0, start + BEGIN.length)}\n\n${tableOf(releases, current)}\n${page.slice(end)}`;
}

function tableOf(releases: readonly Row[], current: Row): string {
  const isReleased = releases[0]?.version === current.version;
  const rows = isReleased ? releases : [current, ...releases];
  return [
    '| version | its service works with the SDK | accounts of the program that its SDK and its service read |',
    '| --- | --- | --- |',
    ...rows.map(({ version, accounts }, index) => {
      const name = index === 0 && !isReleased ? `${version}, not released` : version;
      const sdks = rows.slice(index, index + 2).map((each) => each.version);
      return `| ${name} | ${[...new Set(sdks)].join(', ')} | ${accountsOf(accounts)} |`;
    }),
    '',
  ].join('\n');
}

function accountsOf(versions: Release['accounts']): string {
  const later = Object.entries(versions).filter(([, version]) => version > 1);
  return [...later.map(([kind, version]) => `${kind} up to ${version}`), 'all others 1'].join(', ');
}
