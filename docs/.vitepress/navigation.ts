/** The groups of the sidebar and their pages, in order. The build fails if a page is in no group. */
export interface Group {
  readonly text: string;
  /** Paths of pages without `.md`. The sidebar shows the heading of the page, or the text after the path. */
  readonly pages: readonly (string | readonly [path: string, text: string])[];
}

export const GROUPS: readonly Group[] = [
  { text: 'Start', pages: ['why', 'concepts', 'quickstart', 'examples'] },
  {
    text: 'Guides',
    pages: [
      'guides/holder-page',
      'guides/issuer',
      'guides/verifier',
      'guides/operator',
      'guides/production',
      'in-a-page',
      'react',
      'vue',
      'wallets',
      'testing',
    ],
  },
  {
    text: 'Recipes',
    pages: [
      'recipes/passport',
      'recipes/progress-and-cancel',
      'recipes/renewal',
      'recipes/revocation',
      'recipes/resume-after-a-crash',
      'recipes/issuer-backend',
    ],
  },
  { text: 'For issuers', pages: ['for-issuers', 'powers'] },
  {
    text: 'Operators',
    pages: [
      ['packages/server', 'Server'],
      ['packages/deploy', 'Deploy'],
      'configuration',
      'verifiers',
      'ceremony',
      ['packages/development', 'Development stack'],
    ],
  },
  {
    text: 'Reference',
    pages: [
      ['packages/sdk', 'SDK'],
      ['packages/testing', 'Test tools'],
      'errors',
      'events',
      'misuse',
      'operations',
      ['SPEC', 'Interface'],
      'wire',
      'glossary',
      'faq',
      'performance',
    ],
  },
  { text: 'Security', pages: ['security-model', 'hostile-service', 'wallets-in-tests', 'codes', 'security'] },
  {
    text: 'Project',
    pages: [
      'changelog',
      'contributing',
      ['examples/react', 'Example in React'],
      ['packages/program', 'Program'],
      ['packages/circuit', 'Circuit'],
      ['packages/prover', 'Prover'],
      ['packages/protocol', 'Protocol'],
      ['packages/contract', 'Contract'],
      ['packages/localnet', 'Local chain'],
      ['packages/localnet/stand-in-guard-program', 'Stand-in for guards'],
      ['packages/test-support', 'Test support'],
      ['test/validator', 'Real validator'],
      ['test/openapi-clients', 'Generated clients'],
      ['test/soak', 'Campaigns'],
      ['test/vectors', 'Golden bytes'],
    ],
  },
];
