/** Writes the section of a release into CHANGELOG.md. */

/** A change that a person described with `npx changeset`. */
export interface Change {
  readonly type: 'major' | 'minor' | 'patch';
  readonly summary: string;
}

const HEADINGS = { major: 'Changed, and not compatible', minor: 'Added', patch: 'Fixed' } as const;

/**
 * Returns the changelog with a date for the version: in the section that says `unreleased`, or in a new one of the changes.
 *
 * @param date such as 2026-12-01
 * @throws Error if the version has a date already, or there is nothing to say about it
 */
export function withRelease(
  text: string,
  { version, date, changes }: { version: string; date: string; changes: readonly Change[] },
): string {
  const unreleased = `## ${version} - unreleased\n`;
  const dated = `## ${version} - ${date}\n`;
  if (text.includes(unreleased)) return text.replace(unreleased, dated);
  if (sectionOf(text, version) !== undefined) throw new Error(`CHANGELOG.md has a section of ${version}.`);
  if (changes.length === 0) throw new Error(`No change describes ${version}. Add one with npx changeset.`);
  const section = (['major', 'minor', 'patch'] as const)
    .map((type) => [HEADINGS[type], changes.filter((each) => each.type === type)] as const)
    .filter(([, ofType]) => ofType.length > 0)
    .map(([heading, ofType]) => `### ${heading}\n\n${ofType.map(itemOf).join('')}`)
    .join('\n');
  const at = text.search(/^## \d/m);
  if (at < 0) throw new Error('CHANGELOG.md has no section of a version, above which to write the new one.');
  return `${text.slice(0, at)}${dated}\n${section}\n${text.slice(at)}`;
}

/** Returns what the changelog says of a version, without its heading, or undefined. */
export function sectionOf(text: string, version: string): string | undefined {
  const heading = new RegExp(`^## ${version.replaceAll('.', '\\.')} - .*\n`, 'm').exec(text);
  if (!heading) return undefined;
  const rest = text.slice(heading.index + heading[0].length);
  const end = rest.search(/^## /m);
  return (end < 0 ? rest : rest.slice(0, end)).trim();
}

function itemOf({ summary }: Change): string {
  return `- ${summary.trim().replaceAll('\n', '\n  ')}\n`;
}
