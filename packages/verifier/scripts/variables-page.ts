/** Renders the variables in the README from the schemas of the verifier and of its providers. */
import type { VariablesSchema } from '@service/configuration';
import { variableTable } from '@service/configuration/variable-table';
import { verifierVariables } from '../src/configuration/variables.ts';
import { PROVIDER_KINDS } from '../src/providers/kinds.ts';

const BEGIN = '<!-- variables: written by npm run generate -->';
const END = '<!-- end of variables -->';

/** Returns the page with current tables. Throws Error if the page has no place for them. */
export function withVariables(page: string): string {
  const [start, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`the page has no "${BEGIN}" followed by "${END}"`);
  const providers = Object.entries(PROVIDER_KINDS).map(
    ([name, { variables }]) => `### With \`PROVIDER=${name}\`\n\n${variableTable(variables)}`,
  );
  const tables = [variableTable(verifierVariables as unknown as VariablesSchema), ...providers];
  return `${page.slice(0, start + BEGIN.length)}\n\n${tables.join('\n\n')}\n\n${page.slice(end)}`;
}
