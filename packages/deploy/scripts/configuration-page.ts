/** Renders docs/configuration.md from the schemas of the variables. */
import { documentationOf, serverVariables, type VariablesSchema } from '@service/server/configuration';
import * as z from 'zod/mini';
import { deployVariables } from '../src/variables.ts';

/** The whole page. */
export function configurationPage(): string {
  return `# Configuration

\`npm run serve\` and \`npm run deploy\` read their configuration from environment variables. An empty variable counts as
unset. If a variable is wrong, the command exits with code 2. It prints a line with the name of the variable, the problem and
the expected form. A value marked *secret* is never printed. You can also put it in a file and name the file in \`<NAME>_FILE\`.

\`npm run docs:configuration\` writes this page from the schemas.

## The server: \`npm run serve\`

${table(serverVariables)}

## The deployment: \`npm run deploy\`

Each variable is also an option: \`RPC_URL\` is \`--rpc-url\`. For a secret, the option names a file: \`--payer-file\`. An option
overrides its variable.

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

/** Formats an example as code. An example in words has its own marks. */
function asCode(example: string): string {
  return example.includes('`') ? example : `\`${example}\``;
}
