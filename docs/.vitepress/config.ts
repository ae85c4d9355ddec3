/** The site of `npm run docs`. build.ts stages its pages first. */
import { defineConfig } from 'vitepress';
import { diagramOf } from './diagrams.ts';
import { slugOf } from './links.ts';
import { base } from './sources.ts';
import { sidebars } from './stage.ts';

export default defineConfig({
  title: 'Rule-Set and Pass Service',
  titleTemplate: ':title · Rule-Set and Pass Service',
  description: 'People prove that they are eligible without showing who they are.',
  lang: 'en',
  base,
  srcDir: '.vitepress/pages',
  outDir: 'site',
  lastUpdated: false,
  ignoreDeadLinks: 'localhostLinks',
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}logo.svg` }]],
  markdown: {
    // Otherwise the name SPEC.md would become a link to the host spec.md, and a URL in an example a dead link.
    linkify: false,
    anchor: { slugify: slugOf },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config(md) {
      const fence = md.renderer.rules.fence!;
      // A block that is only indented scrolls as the others do.
      md.renderer.rules.code_block = (tokens, index, options, env, self) => {
        tokens[index]!.info = 'text';
        return fence(tokens, index, options, env, self);
      };
      md.renderer.rules.fence = (tokens, index, options, env, self) => {
        const token = tokens[index]!;
        if (token.info.trim() !== 'mermaid') return fence(tokens, index, options, env, self);
        const above = tokens.slice(0, index).findLastIndex(({ type }) => type === 'heading_open');
        return diagramOf(token.content, {
          name: tokens[above + 1]?.content ?? 'Diagram',
          id: `diagram-${index}`,
        });
      };
    },
  },
  themeConfig: {
    logo: { src: '/logo.svg', alt: '' },
    siteTitle: 'Rule-Set and Pass Service',
    nav: [
      { text: 'Quickstart', link: '/quickstart' },
      { text: 'Build a dApp', link: '/guides/holder-page' },
      { text: 'Issue a token', link: '/for-issuers' },
      { text: 'Run it', link: '/guides/operator' },
      { text: 'Reference', link: '/reference/' },
      { text: 'Security', link: '/security-model' },
    ],
    sidebar: sidebars(),
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: {
        miniSearch: {
          searchOptions: {
            // A page with every word, not with one of them.
            combineWith: 'AND',
            boost: { title: 4, text: 2, titles: 1 },
            fuzzy: 0.1,
            prefix: true,
            // People who search for an error code want to know what to do.
            boostDocument: (id: string) =>
              /\/errors\.html/.test(id) ? 3 : /\/reference\//.test(id) ? 0.8 : 1,
          },
        },
      },
    },
    docFooter: { prev: 'Previous page', next: 'Next page' },
    externalLinkIcon: false,
  },
  // The index of the search is one chunk, which a page loads when somebody searches.
  vite: { publicDir: '../../public', build: { chunkSizeWarningLimit: 4_000 } },
});
