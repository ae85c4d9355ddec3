/** Copies the Markdown files of the site to one folder, with links that work there, and lists the sidebar. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { withBenchmarks } from './benchmarks.ts';
import { asHome } from './home.ts';
import { slugOf, withPageLinks } from './links.ts';
import { GROUPS } from './navigation.ts';
import { fileOf, pageOf, root, sources, stage } from './sources.ts';

export interface SidebarItem {
  text: string;
  link?: string;
  items?: SidebarItem[];
}

/** The reference's sidebar, which TypeDoc writes. */
const referenceSidebar = join(stage, 'reference/typedoc-sidebar.json');

/** Stages every page but the reference. Throws if a link leads to no file, or if a page has no first heading. */
export function stagePages(): void {
  rmSync(stage, { recursive: true, force: true });
  const pages = sources();
  for (const [source, page] of pages) {
    const { text, images } = withPageLinks(readFileSync(join(root, source), 'utf8'), source, pages);
    titleOf(text, source);
    write(join(stage, page), page === 'index.md' ? asHome(text) : withBenchmarks(text));
    for (const [from, to] of images) {
      mkdirSync(dirname(join(stage, to)), { recursive: true });
      cpSync(join(root, from), join(stage, to));
    }
  }
}

/** Links each section that the reference cites to the interface. */
export function linkCitations(): void {
  const text = readFileSync(join(root, 'docs/SPEC.md'), 'utf8');
  const sections = new Map(
    [...text.matchAll(/^## ((\d+)\. .+)$/gm)].map(([, heading, number]) => [number!, heading!]),
  );
  for (const page of readdirSync(join(stage, 'reference'), { recursive: true, encoding: 'utf8' })) {
    if (!page.endsWith('.md')) continue;
    const file = join(stage, 'reference', page);
    const interfacePage = relative(dirname(file), join(stage, 'SPEC.md'));
    const cited = readFileSync(file, 'utf8').replace(
      /SPEC\.md(\s+)section(s?)(\s+)(\d+(?:(?:, | and |\s+and\s+)\d+)*)/g,
      (_, space, plural, gap, numbers: string) =>
        `the interface,${space}section${plural}${gap}${numbers.replaceAll(
          /\d+/g,
          (number) => `[${number}](${interfacePage}#${slugOf(sections.get(number)!)})`,
        )}`,
    );
    writeFileSync(file, cited);
  }
}

/** Returns the sidebar of the staged pages. */
export function sidebar(): SidebarItem[] {
  const groups = GROUPS.map(({ text, files }) => ({
    text,
    items: files.map((each): SidebarItem => {
      const page = pageOf(fileOf(each));
      const title =
        typeof each === 'string' ? titleOf(readFileSync(join(stage, page), 'utf8'), each) : each[1];
      return { text: title, link: `/${page.replace(/\.md$/, '')}` };
    }),
  }));
  const entries = referenceEntries().map(({ text, link }) => ({ text, link }) as SidebarItem);
  groups.find(({ text }) => text === 'Reference')!.items.unshift(...entries);
  return groups;
}

/**
 * Returns the sidebar of the site, and one for each entry of the reference, which names every export. No group is
 * collapsible, because VitePress would put a button into a button.
 */
export function sidebars(): Record<string, SidebarItem[]> {
  const back = { text: 'All pages', link: '/' };
  const entries = referenceEntries().map(({ text, link, items = [] }) => {
    const groups = items.map((group) => ({ text: group.text, items: group.items ?? [] }));
    return [link!, [back, { text, link: link! }, ...groups]] as const;
  });
  return { '/': sidebar(), ...Object.fromEntries(entries) };
}

function referenceEntries(): SidebarItem[] {
  if (!existsSync(referenceSidebar)) throw new Error('The pages are not staged. Run npm run docs first.');
  return JSON.parse(readFileSync(referenceSidebar, 'utf8'));
}

/** Returns the first heading of a page, without marks. */
export function titleOf(text: string, page: string): string {
  const headings = [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^# (.+)$/gm)];
  if (headings.length !== 1)
    throw new Error(`${page} has ${headings.length} headings of the first level, not one`);
  return headings[0]![1]!.replaceAll(/[`*]/g, '');
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
