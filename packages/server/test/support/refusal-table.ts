/** The table docs/codes.md: for each error code of a route, a test that reaches it over HTTP. */
import { ERROR_CODES, errorCodesOf, FILE_ROUTES, ROUTES } from '@service/contract';
import type { ReachedRefusal } from '@service/server/test-service';

/** An error code of a route. */
export type Refusal = Pick<ReachedRefusal, 'route' | 'code'>;

const ENDPOINTS = new Map<string, string>([
  ...Object.entries(ROUTES).map(([name, { method, path }]) => [name, `${method} ${path}`] as const),
  ...Object.entries(FILE_ROUTES).map(([name, { path }]) => [name, `GET ${path}`] as const),
]);

/** Every pair of a route and one of its error codes, in the order of the contract. */
export const REFUSALS: readonly Refusal[] = [...ENDPOINTS.keys()].flatMap((name) => {
  const route = name as Refusal['route'];
  return errorCodesOf(route).map((code) => ({ route, code }));
});

/** Returns the pairs that no test reached. */
export function unreached(reached: readonly ReachedRefusal[]): Refusal[] {
  const found = new Set(reached.map(pairOf));
  return REFUSALS.filter((refusal) => !found.has(pairOf(refusal)));
}

/** Returns the page. Of several tests for a pair it names the one that reaches the fewest other pairs. */
export function refusalPage(reached: readonly ReachedRefusal[]): string {
  const breadth = new Map<string, number>();
  for (const each of reached) breadth.set(nameOf(each), (breadth.get(nameOf(each)) ?? 0) + 1);
  const rows = REFUSALS.flatMap((refusal) => {
    const [test] = reached
      .filter((each) => pairOf(each) === pairOf(refusal))
      .sort(
        (one, other) =>
          breadth.get(nameOf(one))! - breadth.get(nameOf(other))! || (nameOf(one) < nameOf(other) ? -1 : 1),
      );
    return test ? [row(test)] : [];
  });
  return `${HEAD}${rows.join('\n')}\n`;
}

/** Returns the rows of the page that a run of the tests did not reach with the named test. */
export function staleRows(page: string, reached: readonly ReachedRefusal[]): string[] {
  const rows = new Set(reached.map(row));
  return rowsOf(page).filter((each) => !rows.has(each));
}

/** Counts the rows of each pair in the page, by endpoint, code and status. */
export function countRows(page: string): { refusal: Refusal; rows: number }[] {
  const countOf = (refusal: Refusal) => rowsOf(page).filter((row) => row.startsWith(start(refusal))).length;
  return REFUSALS.map((refusal) => ({ refusal, rows: countOf(refusal) }));
}

/** Returns the rows of the table without its head. */
export function rowsOf(page: string): string[] {
  return page.split('\n').filter((line) => line.startsWith('| `'));
}

const HEAD = `# Refusals and their tests

Every code that an endpoint can answer (\`errorCodesOf\` in packages/contract), with a test that reaches it over HTTP. While
the tests run, every refusal is held against the contract: the status of its code, and the body
\`{ "error": { "code", "message", "requestId" } }\` with nothing more.

Made from a run of the tests by \`npm run docs:codes\`. \`npm test\` fails when a pair has no row here; the checks of a clean
checkout fail when a test does not reach what its row says.

| Endpoint | Code | Status | Test |
|---|---|---|---|
`;

const start = ({ route, code }: Refusal) =>
  `| \`${ENDPOINTS.get(route)}\` | ${code} | ${ERROR_CODES[code].status} | `;

const row = (reached: ReachedRefusal) => `${start(reached)}${nameOf(reached)} |`;

const nameOf = ({ file, test }: ReachedRefusal) =>
  `${file.replace('packages/server/', '')}: ${test.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')}`;

const pairOf = ({ route, code }: Refusal) => `${route} ${code}`;
