/** Finds the Markdown files that the site shows, and gives each a page. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');
/** The files below are staged here, with the reference, before VitePress builds them. */
export const stage = join(import.meta.dirname, 'pages');
export const site = join(root, 'docs/site');
/** Path of the site on its host: `/`, or a folder of another site, such as `/docs/`. */
export const base = process.env.DOCS_BASE ?? '/';

/** Files in the root of the repository that have a page. */
const ROOT_PAGES: Readonly<Record<string, string>> = {
  'CHANGELOG.md': 'changelog.md',
  'CONTRIBUTING.md': 'contributing.md',
  'SECURITY.md': 'security.md',
};

/** Returns every source with a page: path in the repository → path of the page. Throws if two have one page. */
export function sources(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const add = (source: string, page: string) => {
    const other = [...found].find(([, taken]) => taken.toLowerCase() === page.toLowerCase());
    if (other) throw new Error(`${source} and ${other[0]} have the same page, ${page}: rename one of them`);
    found.set(source, page);
  };
  for (const file of markdownIn('docs')) add(`docs/${file}`, file);
  for (const file of markdownIn('packages/sdk/docs')) add(`packages/sdk/docs/${file}`, file);
  for (const folder of ['packages', 'test', 'examples']) {
    // Other READMEs, such as those of test data, are for people who read the repository.
    for (const file of markdownIn(folder).filter((each) => /^([\w-]+\/){0,2}README\.md$/.test(each))) {
      const name = file === 'README.md' ? folder : `${folder}/${file.slice(0, -'/README.md'.length)}`;
      add(`${folder}/${file}`, `${name}.md`);
    }
  }
  for (const [file, page] of Object.entries(ROOT_PAGES)) add(file, page);
  return found;
}

/** Returns the Markdown files in a folder and below, sorted. Leaves out what tools make. */
function markdownIn(folder: string, below = ''): string[] {
  const made = new Set(['node_modules', 'dist', 'target', 'site', '.vitepress', 'generated']);
  return readdirSync(join(root, folder, below), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = below ? `${below}/${entry.name}` : entry.name;
      if (entry.isDirectory()) return made.has(entry.name) ? [] : markdownIn(folder, path);
      return entry.name.endsWith('.md') ? [path] : [];
    });
}
