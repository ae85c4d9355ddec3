/** Makes the tables of wallets in the docs from what the tests expect. */
import { SIMULATED_WALLETS, type SimulatedWalletKind } from '@service/testing';
import { EXPECTED, type Expected } from './expected.ts';
import { KINDS, type Mode } from './play.ts';

/** Pages with a table, by their path in the repository, and which wallets it has. */
export const PAGES_WITH_TABLES: Readonly<Record<string, (kind: SimulatedWalletKind) => boolean>> = {
  'packages/sdk/docs/wallets.md': ({ isHostile }) => !isHostile,
  'packages/testing/wallets.md': ({ isHostile }) => isHostile,
};

const BEGIN = '<!-- Made from test/wallets/expected.ts by npm run generate. -->';
const END = '<!-- End of the made table. -->';

/** Returns a page with a new table. Throws an Error if the page has no place for the table. */
export function withTable(page: string, has: (kind: SimulatedWalletKind) => boolean): string {
  const [start, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (start < 0 || end < start) throw new Error('the page has no place for the table');
  return `${page.slice(0, start + BEGIN.length)}\n\n${tableOf(SIMULATED_WALLETS.filter(has))}\n${page.slice(end)}`;
}

function tableOf(kinds: readonly SimulatedWalletKind[]): string {
  const rows = kinds.map((kind) => {
    const { person, developer } = EXPECTED[kind.id];
    const name = kind.isHostile ? `\`${kind.id}\`` : kind.label;
    const cells = [name, kind.does, resultOf(kind, 'defaults'), resultOf(kind, 'allowed'), person, developer];
    return `| ${cells.join(' | ')} |\n`;
  });
  const head =
    '| Wallet | What it does | By default | With additions allowed | Tell the person | What you can do |';
  return `${head}\n|---|---|---|---|---|---|\n${rows.join('')}`;
}

/** Returns what happens, with the kinds of writes if they differ. */
function resultOf({ id }: SimulatedWalletKind, mode: Mode): string {
  const kindsOf = new Map<string, string[]>();
  for (const kind of KINDS) {
    const text = describe(EXPECTED[id][mode](kind));
    kindsOf.set(text, [...(kindsOf.get(text) ?? []), kind]);
  }
  if (kindsOf.size === 1) return `${[...kindsOf.keys()][0]}.`;
  return [...kindsOf].map(([text, names]) => `${names.join(', ')}: ${text}.`).join(' ');
}

function describe({ outcome, landed, failed, guards, signed, paysPriority }: Expected): string {
  if (outcome === 'FINALIZED' && landed === 1) {
    const added = [...(guards > 0 ? ['its guards'] : []), ...(paysPriority ? ['its priority fee'] : [])];
    return added.length > 0 ? `Works, with ${added.join(' and ')}` : 'Works';
  }
  if (outcome === 'FINALIZED') return 'The write happens twice';
  if (signed === 0) return `\`${outcome}\`. The wallet is not asked`;
  if (landed > failed) {
    return failed > 0
      ? `\`${outcome}\`. The wallet’s own transaction has landed`
      : `\`${outcome}\`. The wallet sent it anyway`;
  }
  return landed > 0 ? `\`${outcome}\`. Only the fee is lost` : `\`${outcome}\`. Nothing is sent`;
}
