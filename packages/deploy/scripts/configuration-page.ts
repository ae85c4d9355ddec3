/** The text of docs/configuration.md, from the schemas of the variables. */
import { documentationOf, serverVariables, type VariablesSchema } from '@service/server/configuration';
import * as z from 'zod/mini';
import { deployVariables } from '../src/variables.ts';

/** The whole page. */
export function configurationPage(): string {
  return `# Configuration

\`npm run serve\` and \`npm run deploy\` take their configuration from environment variables. An empty variable counts as not
set. Each fault is a line that names the variable, what is wrong and what is expected, and nothing is started then (exit
code 2). A value marked *secret* is never shown; it may also be in a file that \`<NAME>_FILE\` names.

This page follows from the schemas; \`npm run docs:configuration\` writes it.

## The server: \`npm run serve\`

${table(serverVariables)}

## The deployment: \`npm run deploy\`

Each is also an option, which counts first: \`RPC_URL\` is \`--rpc-url\`; for a secret only the file, as in \`--payer-file\`.

${table(deployVariables)}
`;
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

/** An example that says in words where the value comes from has its own marks. */
function asCode(example: string): string {
  return example.includes('`') ? example : `\`${example}\``;
}
