import { documentationOf } from '@service/server/configuration';
import { optionOf } from './command-line.ts';
import { deployVariables } from './variables.ts';

/** What `--help` prints. */
export function usage(): string {
  const lines = Object.entries(deployVariables.shape).map(([name, form]) => {
    const { description } = documentationOf(name, form);
    return `  --${optionOf(name).padEnd(26)}${description.replaceAll('`', '')}`;
  });
  return [
    'npm run deploy -- [options]',
    '',
    ...lines,
    `  --${'update'.padEnd(26)}Change what stands otherwise: circuit, verifier, pass fee.`,
    `  --${'force'.padEnd(26)}Overwrite the deployment file of another program.`,
    '',
    'Each is also an environment variable: docs/configuration.md lists them with forms, defaults and examples.',
  ].join('\n');
}
