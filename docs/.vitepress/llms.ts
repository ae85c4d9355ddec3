/** Writes the pages for language models: llms.txt lists them, llms-full.txt has their text, and each page is a .md too. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withPageLinks } from './links.ts';
import { root, site, sources, stage } from './sources.ts';
import type { SidebarItem } from './stage.ts';

/** Writes the files into the built site. The sidebar names the pages. The reference is listed, not repeated. */
export function writeLlms(sidebar: readonly SidebarItem[], base: string): void {
  const home = withPageLinks(
    readFileSync(join(root, 'docs/index.md'), 'utf8'),
    'docs/index.md',
    sources(),
  ).text;
  const [title, summary] = [home.match(/^# .+$/m)?.[0] ?? '', firstParagraph(home)];
  const lists: string[] = [`${title}\n\n> ${summary}\n`];
  const texts: string[] = [home.trim()];
  for (const { text, items = [] } of sidebar) {
    lists.push(`## ${text}\n`);
    for (const item of items.filter(({ link }) => link)) {
      const path = `${item.link!.replace(/^\//, '').replace(/\/$/, '/index').replace(/\.md$/, '')}.md`;
      const page = readFileSync(join(stage, path), 'utf8');
      const about = firstParagraph(page);
      lists.push(`- [${item.text}](${base}${path})${about ? `: ${about}` : ''}`);
      if (!path.startsWith('reference/')) texts.push(`<!-- ${path} -->\n\n${page.trim()}`);
      mkdirSync(dirname(join(site, path)), { recursive: true });
      cpSync(join(stage, path), join(site, path));
    }
    lists.push('');
  }
  writeFileSync(join(site, 'llms.txt'), lists.join('\n'));
  writeFileSync(join(site, 'llms-full.txt'), `${texts.join('\n\n')}\n`);
}

/** Returns the first paragraph of a page, on one line and without links. */
function firstParagraph(text: string): string {
  const blocks = text.replaceAll(/<!--[\s\S]*?-->/g, '').split(/\n\s*\n/);
  const paragraph = blocks.map((block) => block.trim()).find((block) => /^[\p{L}`[*]/u.test(block)) ?? '';
  return paragraph.replaceAll(/\s+/g, ' ').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
}
