import { documentationOf } from '@service/configuration';
import { optionOf } from './read-options.ts';
import { deployVariables } from './variables.ts';

/** Returns the text of `--help`. */
export function usage(): string {
  const row = (option: string, description: string) => `  --${option.padEnd(26)}${description}`;
  const variables = Object.entries(deployVariables.shape).map(([name, form]) =>
    row(optionOf(name), documentationOf(name, form).description.replaceAll('`', '')),
  );
  return [
    'Usage: npx @service/cli deploy [options]',
    '',
    ...variables,
    row('update', 'Replace the circuit, the verifier and the pass fee where they differ.'),
    row('force', 'Overwrite the deployment file of another program.'),
    '',
    'Each option except --update and --force is also an environment variable.',
    'docs/guides/operator.md lists the variables with their forms, defaults and examples.',
  ].join('\n');
}
