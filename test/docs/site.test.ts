/** Checks the code that builds the docs site. built-site.slow.test.ts checks the site. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { faultsOf, siteSize, sizeFault } from '../../docs/.vitepress/check.ts';
import { diagramOf } from '../../docs/.vitepress/diagrams.ts';
import { asHome } from '../../docs/.vitepress/home.ts';
import { slugOf, withPageLinks } from '../../docs/.vitepress/links.ts';
import { root, sources } from '../../docs/.vitepress/sources.ts';

describe('a link of a file', () => {
  const pages = sources();
  const linked = (text: string, source = 'docs/verifiers.md') => withPageLinks(text, source, pages).text;

  it.each([
    ['[i](SPEC.md)', '[i](./SPEC.md)'],
    ['[i](SPEC.md#8-limits)', '[i](./SPEC.md#8-limits)'],
    ['[w](../packages/sdk/docs/wallets.md#kinds-of-changes)', '[w](./wallets.md#kinds-of-changes)'],
    ['[s](../packages/sdk/README.md)', '[s](./sdk.md)'],
    ['[s](../packages/sdk)', '[s](./sdk.md)'],
    ['[home](../README.md)', '[home](./index.md)'],
    [
      '![p](screenshots/lies-1280-dark.png#gh-dark-mode-only)',
      '![p](./images/lies-1280-dark.png#gh-dark-mode-only)',
    ],
  ])('%s leads to the page', (text, result) => expect(linked(text)).toBe(result));

  it.each([
    ['[setup.ts](../packages/circuit/scripts/setup.ts)', '`packages/circuit/scripts/setup.ts`'],
    [
      '[the script](../packages/circuit/scripts/setup.ts)',
      'the script (`packages/circuit/scripts/setup.ts`)',
    ],
  ])('%s names a file without a page', (text, result) => expect(linked(text)).toBe(result));

  it.each([
    '[w](https://www.standardwebhooks.com)',
    '[here](#example)',
    '`[i](gone.md)`',
    '``a ` [i](gone.md)``',
    '```md\n[i](gone.md)\n```',
    '<!-- [i](gone.md) -->',
  ])('%s stays', (text) => expect(linked(text)).toBe(text));

  it('is relative to the page, not to the file', () => {
    expect(linked('[c](../../../docs/concepts.md)', 'packages/sdk/docs/react.md')).toBe('[c](./concepts.md)');
  });

  it.each(['[i](gone.md)', '[i](../../outside.md)'])('%s fails the build', (text) => {
    expect(() => linked(text)).toThrow(/docs\/verifiers\.md links to .+, which does not exist/);
  });
});

it('has at most 25 pages and 50,000 words, and a page for each file of docs', () => {
  expect(sizeFault(siteSize())).toEqual([]);
  expect(sizeFault({ pages: 26, words: 1 })).toHaveLength(1);
  expect(sizeFault({ pages: 1, words: 50_001 })).toHaveLength(1);
  const files = ['docs', 'packages/sdk/docs'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md') && !/^(site|\.vitepress)\//.test(name))
      .map((name) => `${folder}/${name}`),
  );
  expect(files.filter((file) => !sources().has(file))).toEqual([]);
});

it.each([
  ['3. States and transitions', '3-states-and-transitions'],
  ['The server: `npm run serve`', 'the-server-npm-run-serve'],
  ['What’s new?', 'whats-new'],
  ['snake_case & more', 'snake_case--more'],
])('the anchor of "%s" is that of GitHub', (heading, slug) => expect(slugOf(heading)).toBe(slug));

it('the start page shows its list as cards', () => {
  const page = asHome(
    '# Title\n\nWhat it is.\n\n- **A rule** says who.\n- **A proof** shows it.\n\n## Start\n',
  );
  const [, matter, rest] = /^---\n(.+)\n---\n\n([\s\S]*)$/.exec(page)!;
  expect(JSON.parse(matter!)).toMatchObject({
    hero: { name: 'Title', tagline: 'What it is.' },
    features: [
      { title: 'A rule', details: 'Says who.' },
      { title: 'A proof', details: 'Shows it.' },
    ],
  });
  expect(rest!.trim()).toBe('## Start');
  expect(() => asHome('## No title\n')).toThrow('must begin with a heading');
});

describe('a diagram', () => {
  const draw = (code: string) => diagramOf(code, { name: 'States', id: 'diagram-1' });

  it('is drawn without a script, a style or another host', () => {
    const drawn = draw('stateDiagram-v2\n  [*] --> DRAFT: prepared\n');
    expect(drawn).toContain('prepared</text>');
    expect(drawn).not.toMatch(/<style|<script|https?:(?!\/\/www\.w3\.org\/2000\/svg)/);
  });

  it('has a name for readers of the screen', () => {
    expect(draw('flowchart LR\n  A --> B\n')).toContain('role="img" aria-label="States"');
    const named = draw('flowchart LR\n  accTitle: From A to "B"\n  A --> B\n');
    expect(named).toContain('aria-label="From A to &quot;B&quot;"');
  });

  it('has arrowheads of its own', () => {
    const drawn = draw('flowchart LR\n  A --> B\n');
    const ids = [...drawn.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!);
    expect(ids.every((id) => id.startsWith('diagram-1-'))).toBe(true);
    for (const [, id] of drawn.matchAll(/url\(#([^)]+)\)/g)) expect(ids).toContain(id);
  });

  it('fails the build if it is none', () => expect(() => draw('nonsense')).toThrow());
});

describe('the check of a built site', () => {
  const folders: string[] = [];
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true });
  });

  /** Writes pages, each with a title of its own and a heading, and checks them. */
  function faults(bodies: Record<string, string>, base = '/'): string[] {
    const folder = mkdtempSync(join(tmpdir(), 'site-'));
    folders.push(folder);
    for (const [name, body] of Object.entries(bodies)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      const html = body.startsWith('<html>') ? body : `<title>${name}</title><h1>x</h1>${body}`;
      writeFileSync(join(folder, name), html);
    }
    return faultsOf(folder, base);
  }

  it('accepts links to pages, anchors, files and known hosts', () => {
    const body =
      '<a href="/b/">b</a><a href="b/index.html#part">p</a><a href="#top" id="top">t</a>' +
      '<a class="x" href="https://github.com/LiteSVM/litesvm">l</a><a href="/llms.txt">f</a>';
    expect(faults({ 'a.html': body, 'b/index.html': '<p id="part">p</p>', 'llms.txt': '' })).toEqual([]);
  });

  it.each([
    ['<a href="gone.html">x</a>', 'a.html: links to gone.html, which does not exist'],
    ['<a href="#gone">x</a>', 'a.html: links to #gone, which has no such anchor'],
    ['<a href="http://SPEC.md">x</a>', 'a.html: links to the host spec.md'],
    ['<a href="//cdn.example/x">x</a>', 'a.html: links to the host cdn.example'],
    ['<a href="javascript:alert(1)">x</a>', 'a.html: links to the host javascript:alert(1)'],
    ['<img src="https://cdn.example/x.png">', 'a.html: loads https://cdn.example/x.png'],
    ['<link rel="x" href="https://fonts.example/x.css">', 'a.html: loads https://fonts.example/x.css'],
    ['<h1>y</h1>', 'a.html: 2 headings of the first level'],
    ['<html><title>a</title>', 'a.html: 0 headings of the first level'],
  ])('finds the fault in %s', (body, fault) => expect(faults({ 'a.html': body })).toEqual([fault]));

  it('finds titles that two pages share', () => {
    const page = '<html><title>Same</title><h1>x</h1>';
    expect(faults({ 'a.html': page, 'b.html': page })).toEqual(['b.html: has the title of a.html: Same']);
  });

  it('checks a site in a folder of another site', () => {
    const [inside, outside] = ['<a href="/docs/b.html">x</a>', '<a href="/b.html">x</a>'];
    expect(faults({ 'a.html': inside, 'b.html': '' }, '/docs/')).toEqual([]);
    const fault = 'a.html: links to /b.html, outside /docs/';
    expect(faults({ 'a.html': outside, 'b.html': '' }, '/docs/')).toEqual([fault]);
  });
});
