/** Renders the configuration in docs/guides/operator.md from the schemas of the variables. */
import { variableTable } from '@service/configuration/variable-table';
import { serverVariables } from '@service/server/variables';
import { deployVariables } from '../src/deploy/variables.ts';

const BEGIN = '<!-- configuration: written by npm run generate -->';
const END = '<!-- end of configuration -->';

/** Returns the page with current tables. Throws Error if the page has no place for them. */
export function withConfiguration(page: string): string {
  const [start, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`the page has no "${BEGIN}" followed by "${END}"`);
  return `${page.slice(0, start + BEGIN.length)}

### The server: \`npx @service/server\`

${variableTable(serverVariables)}

### The deployment: \`npx @service/cli deploy\`

Each variable is also an option: \`RPC_URL\` is \`--rpc-url\`. For a secret, the option names a file: \`--payer-file\`. An option
overrides its variable.

${variableTable(deployVariables)}

${page.slice(end)}`;
}
