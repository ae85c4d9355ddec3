import { readFileSync } from 'node:fs';
import { ACCOUNT_TYPES, programAccountKind } from '@service/protocol';
import { address } from '@solana/kit';
import { expect, it } from 'vitest';
import { publishedPackages } from '../../scripts/published.ts';
import { accountVersions } from '../../scripts/release/account-versions.ts';
import { sectionOf, withRelease } from '../../scripts/release/changelog.ts';
import { canSign } from '../../scripts/release/publish.ts';
import { withCompatibility } from '../docs/support/compatibility.ts';

const TEXT = '# Changelog\n\n## Versions\n\n## 0.1.0 - 2026-12-01\n\n- The first.\n';
/** Any address. */
const PROGRAM = address('4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T');
const CHANGES = [
  { type: 'patch', summary: 'Retry reads.' },
  { type: 'minor', summary: 'Add a hook.\nIt returns the pass.' },
] as const;

it('a release writes its changes above the one before', () => {
  const text = withRelease(TEXT, { version: '0.2.0', date: '2027-01-02', changes: CHANGES });
  expect(text).toBe(
    '# Changelog\n\n## Versions\n\n## 0.2.0 - 2027-01-02\n\n### Added\n\n- Add a hook.\n  It returns the pass.\n\n### Fixed\n\n- Retry reads.\n\n## 0.1.0 - 2026-12-01\n\n- The first.\n',
  );
  expect(sectionOf(text, '0.1.0')).toBe('- The first.');
  expect(sectionOf(text, '0.1.1')).toBeUndefined();
});

it('the first release dates the section that is there', () => {
  const unreleased = TEXT.replace('2026-12-01', 'unreleased');
  expect(withRelease(unreleased, { version: '0.1.0', date: '2026-12-01', changes: [] })).toBe(TEXT);
});

it('a version is released once, and with something to say', () => {
  const release = { date: '2027-01-02', changes: CHANGES };
  expect(() => withRelease(TEXT, { ...release, version: '0.1.0' })).toThrow('has a section of 0.1.0');
  expect(() => withRelease(TEXT, { ...release, version: '0.2.0', changes: [] })).toThrow(
    'No change describes',
  );
});

it('provenance is signed where the job has an identity', () => {
  const ACTIONS = { ACTIONS_ID_TOKEN_REQUEST_URL: 'https://x', ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'x' };
  expect([{}, { CI: 'true' }, { ACTIONS_ID_TOKEN_REQUEST_URL: 'https://x' }].map(canSign)).toEqual([
    false,
    false,
    false,
  ]);
  expect([ACTIONS, { SIGSTORE_ID_TOKEN: 'x' }].map(canSign)).toEqual([true, true]);
});

it('published packages have one version, and each comes after those that it needs', () => {
  const packages = publishedPackages();
  expect(new Set(packages.map(({ version }) => version)).size).toBe(1);
  expect(packages.map(({ name }) => name)).toContain('@service/sdk');
  for (const [index, { needs }] of packages.entries()) {
    const before = packages.slice(0, index).map(({ name }) => name);
    expect(before).toEqual(expect.arrayContaining([...needs]));
  }
});

it('the table names the last release for each service, and the accounts that each version reads', () => {
  const page = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');
  const release = (version: string, pass: number) => ({ version, accounts: { config: 1, pass } });
  const rowsOf = (text: string) => text.match(/^\| \d.*$/gm);
  const made = withCompatibility(page, [release('0.2.0', 2), release('0.1.0', 1)], release('0.3.0', 3));
  expect(rowsOf(made)).toEqual([
    '| 0.3.0, not released | 0.3.0, 0.2.0 | pass up to 3, all others 1 |',
    '| 0.2.0 | 0.2.0, 0.1.0 | pass up to 2, all others 1 |',
    '| 0.1.0 | 0.1.0 | all others 1 |',
  ]);
  const released = withCompatibility(page, [release('0.1.0', 1)], release('0.1.0', 1));
  expect(rowsOf(released)).toEqual(['| 0.1.0 | 0.1.0 | all others 1 |']);
  expect(withCompatibility(page)).toBe(page);
});

it('the client reads exactly the versions of the accounts that the table names', () => {
  const versions = accountVersions();
  for (const [kind, type] of Object.entries(ACCOUNT_TYPES)) {
    const isRead = (version: number) =>
      programAccountKind(PROGRAM, PROGRAM, Uint8Array.of(type, version)) === kind;
    const newest = versions[kind]!;
    expect([kind, ...[0, 1, newest, newest + 1].map(isRead)]).toEqual([kind, false, true, true, false]);
  }
});
