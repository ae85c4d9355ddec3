/** Checks the pages of a built site, without a browser. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { withBenchmarks } from './benchmarks.ts';
import { root, sources } from './sources.ts';

/** Hosts that pages may link to. Add one only if a page means it. */
export const HOSTS: ReadonlySet<string> = new Set([
  'attest.solana.com',
  'developer.mozilla.org',
  'docs.didit.me',
  'docs.semaphore.pse.dev',
  'github.com',
  'localhost:3000',
  'solana.com',
  'www.npmjs.com',
  'www.standardwebhooks.com',
]);

/** The most that the site may have, so that people find what they need. The reference is made from docstrings and not counted. */
const MOST = { pages: 25, words: 50_000 };

export interface SiteSize {
  readonly pages: number;
  readonly words: number;
}

/** Counts the pages and the words of the site without the reference, as `wc -w` does. */
export function siteSize(): SiteSize {
  const texts = [...sources().keys()].map((file) => withBenchmarks(readFileSync(join(root, file), 'utf8')));
  const words = texts.flatMap((text) => text.split(/\s+/).filter(Boolean));
  return { pages: texts.length, words: words.length };
}

/** Returns a line if the site is too large, otherwise nothing. */
export function sizeFault({ pages, words }: SiteSize): string[] {
  if (pages <= MOST.pages && words <= MOST.words) return [];
  return [
    `${pages} pages and ${words} words, of at most ${MOST.pages} and ${MOST.words}: merge or shorten pages`,
  ];
}

interface Page {
  readonly ids: ReadonlySet<string>;
  readonly links: readonly string[];
  /** What the page loads: scripts, styles, images. */
  readonly loads: readonly string[];
  readonly headings: number;
  readonly title: string;
}

/**
 * Returns what is wrong with the pages in a folder, a line for each fault:
 *
 * - a link to a page, file or anchor that does not exist, or to a host that is not in HOSTS
 * - a script, style or image of another host
 * - a page without exactly one heading of the first level, or a title that two pages share
 */
export function faultsOf(folder: string, base = '/'): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.html'),
  );
  const pages = new Map(names.map((name) => [name, pageOf(readFileSync(join(folder, name), 'utf8'))]));
  const faults: string[] = [];
  const titles = new Map<string, string>();
  for (const [name, { links, loads, headings, title }] of pages) {
    const add = (fault: string) => faults.push(`${name}: ${fault}`);
    if (name !== '404.html' && headings !== 1) add(`${headings} headings of the first level`);
    if (titles.has(title)) add(`has the title of ${titles.get(title)}: ${title}`);
    titles.set(title, name);
    for (const each of loads) if (/^(https?:)?\/\//.test(each)) add(`loads ${each}`);
    for (const link of links) {
      const fault = faultOfLink(link, { name, pages, folder, base });
      if (fault) add(fault);
    }
  }
  return faults;
}

function faultOfLink(
  link: string,
  {
    name,
    pages,
    folder,
    base,
  }: { name: string; pages: ReadonlyMap<string, Page>; folder: string; base: string },
): string | null {
  if (/^mailto:/.test(link)) return null;
  if (/^[a-z]+:|^\/\//i.test(link)) {
    const { protocol, host } = new URL(link, 'https://site.invalid');
    return /^https?:$/.test(protocol) && HOSTS.has(host) ? null : `links to the host ${host || link}`;
  }
  const [path = '', anchor] = link.split('#');
  if (path.startsWith('/') && !path.startsWith(base)) return `links to ${link}, outside ${base}`;
  const absolute = path.startsWith('/')
    ? join(folder, path.slice(base.length))
    : join(folder, dirname(name), path);
  const target =
    path === '' ? name : relative(folder, /\/$|^\.*$/.test(path) ? join(absolute, 'index.html') : absolute);
  const page = pages.get(decodeURI(target));
  if (!page) return existsSync(join(folder, target)) ? null : `links to ${link}, which does not exist`;
  if (anchor && !page.ids.has(decodeURIComponent(anchor)))
    return `links to ${link}, which has no such anchor`;
  return null;
}

function pageOf(html: string): Page {
  const values = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, value]) => unescaped(value!));
  return {
    ids: new Set(values(/\sid="([^"]+)"/g)),
    links: values(/<a\s[^>]*?href="([^"]*)"/g),
    loads: [
      ...values(/<(?:script|img|source|iframe)\s[^>]*?src="([^"]*)"/g),
      ...values(/<link\s[^>]*?href="([^"]*)"/g),
    ],
    headings: values(/<(h1)[\s>]/g).length,
    title: values(/<title>([^<]*)<\/title>/g)[0] ?? '',
  };
}

const unescaped = (text: string) =>
  text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&');
