/** Gives each Markdown file of the site a page. */
import { join } from 'node:path';
import { GROUPS, START } from './navigation.ts';

export const root = join(import.meta.dirname, '../..');
/** The files below are staged here, with the reference, before VitePress builds them. */
export const stage = join(import.meta.dirname, 'pages');
export const site = join(root, 'docs/site');
/** Path of the site on its host: `/`, or a folder of another site, such as `/docs/`. */
export const base = process.env.DOCS_BASE ?? '/';

/** Returns every file with a page: path in the repository → path of the page. Throws if two have one page. */
export function sources(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const files = [START, ...GROUPS.flatMap((group) => group.files.map(fileOf))];
  for (const file of files) {
    const page = pageOf(file);
    const other = [...found].find(([, taken]) => taken.toLowerCase() === page.toLowerCase());
    if (other) throw new Error(`${file} and ${other[0]} have the same page, ${page}: rename one of them`);
    found.set(file, page);
  }
  return found;
}

/** Returns the path of an entry of the navigation. */
export const fileOf = (entry: string | readonly [path: string, text: string]): string =>
  typeof entry === 'string' ? entry : entry[0];

/** Returns the path of the page of a file: `guides/issuer.md` for `docs/guides/issuer.md`, `sdk.md` for the README of the SDK. */
export const pageOf = (file: string): string =>
  file.replace(/^(packages\/sdk\/)?docs\//, '').replace(/^(?:packages\/)?([\w-]+)\/README\.md$/, '$1.md');
