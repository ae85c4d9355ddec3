/** Renders the configuration in docs/guides/operator.md from the schemas of the variables. */
import { documentationOf, type VariablesSchema } from '@service/configuration';
import { serverVariables } from '@service/server/variables';
import * as z from 'zod/mini';
import { deployVariables } from '../src/deploy/variables.ts';

const BEGIN = '<!-- configuration: written by npm run generate -->';
const END = '<!-- end of configuration -->';

/** Returns the page with current tables. Throws Error if the page has no place for them. */
export function withConfiguration(page: string): string {
  const [start, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`the page has no "${BEGIN}" followed by "${END}"`);
  return `${page.slice(0, start + BEGIN.length)}

### The server: \`npm run serve\`

${table(serverVariables)}

### The deployment: \`npm run cli -- deploy\`

Each variable is also an option: \`RPC_URL\` is \`--rpc-url\`. For a secret, the option names a file: \`--payer-file\`. An option
overrides its variable.

${table(deployVariables)}

${page.slice(end)}`;
}

function table(schema: VariablesSchema): string {
  const rows = Object.entries(schema.shape).map(([name, form]) => {
    const { description, expected, example, otherwise, secret } = documentationOf(name, form);
    const shown = secret ? `\`${name}\` *secret*` : `\`${name}\``;
    const byDefault = otherwise ?? defaultOf(form);
    return [shown, `${description} Form: ${expected}.`, byDefault, asCode(example)];
  });
  const all = [['variable', 'meaning', 'default', 'example'], ['---', '---', '---', '---'], ...rows];
  return all.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function defaultOf(form: z.ZodMiniType): string {
  const { success, data } = z.safeParse(form, undefined);
  return success ? `\`${String(data)}\`` : '**required**';
}

/** Formats an example as code. An example in words has its own marks. */
function asCode(example: string): string {
  return example.includes('`') ? example : `\`${example}\``;
}
