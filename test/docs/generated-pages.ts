/** Pages and tables of the docs that are made from code. `npm run generate -- pages` writes them, and `npm run verify` compares them. */
import { withDiagrams } from '@service/contract/state-diagrams';
import { HOSTILE_MODES } from '@service/testing';
import { hostileServicePage } from '../adversarial/support/modes-page.ts';
import { PAGES_WITH_TABLES, withTable } from '../wallets/tables.ts';
import { withCompatibility } from './support/compatibility.ts';
import { errorsPage } from './support/errors-page.ts';

const wallets = Object.entries(PAGES_WITH_TABLES).map(
  ([path, has]) => [path, (page: string) => withTable(page, has)] as const,
);

/** Returns the current text of a page, from the text that it has. By path in the repository. */
export const GENERATED_PAGES: Readonly<Record<string, (page: string) => string>> = {
  'packages/testing/hostile-modes.md': () => hostileServicePage(HOSTILE_MODES),
  'CHANGELOG.md': (page) => withCompatibility(page),
  'docs/operations.md': withDiagrams,
  'packages/sdk/docs/errors.md': errorsPage,
  ...Object.fromEntries(wallets),
};
