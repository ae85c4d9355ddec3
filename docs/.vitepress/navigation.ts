/** The pages of the site, in the groups and the order of its sidebar. */
export interface Group {
  readonly text: string;
  /** Paths of Markdown files in the repository. The sidebar shows the heading of a page, or the text after its path. */
  readonly files: readonly (string | readonly [path: string, text: string])[];
}

/** The start page, which the sidebar does not list. */
export const START = 'docs/index.md';

export const GROUPS: readonly Group[] = [
  { text: 'Start', files: ['docs/why.md', 'docs/concepts.md', 'docs/quickstart.md', 'examples/README.md'] },
  {
    text: 'Build a dApp',
    files: [
      'docs/guides/holder-page.md',
      'packages/sdk/docs/in-a-page.md',
      'packages/sdk/docs/react.md',
      'packages/sdk/docs/vue.md',
      'packages/sdk/docs/wallets.md',
      'packages/sdk/docs/testing.md',
      'examples/programs/README.md',
    ],
  },
  { text: 'Issue a token', files: ['docs/for-issuers.md', 'docs/guides/issuer.md'] },
  {
    text: 'Run it',
    files: ['docs/guides/operator.md', 'docs/guides/production.md', 'docs/verifiers.md', 'docs/ceremony.md'],
  },
  {
    text: 'Reference',
    files: [
      ['packages/sdk/README.md', 'SDK'],
      'packages/sdk/docs/errors.md',
      'docs/operations.md',
      'docs/events.md',
      ['docs/SPEC.md', 'Interface'],
      'docs/security-model.md',
      'docs/performance.md',
    ],
  },
];
