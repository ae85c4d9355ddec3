import { documentationOf } from '@service/configuration';
import { serverVariables } from './variables.ts';

/** Returns the text of `npx @service/server --help`: the environment variables. */
export function usage(): string {
  const rows = Object.entries(serverVariables.shape).map(
    ([name, form]) => `  ${name.padEnd(28)}${documentationOf(name, form).description.replaceAll('`', '')}`,
  );
  return [
    'Usage: npx @service/server',
    '',
    'Runs the server until Ctrl-C. It has no options: environment variables configure it.',
    'Put a secret into a file, and name the file in <NAME>_FILE.',
    '',
    ...rows,
    '',
    'docs/guides/operator.md lists the variables with their forms, defaults and examples.',
  ].join('\n');
}
