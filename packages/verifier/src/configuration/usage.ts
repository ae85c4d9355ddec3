import { documentationOf, type VariablesSchema } from '@service/configuration';
import { PROVIDER_KINDS } from '../providers/kinds.ts';
import { verifierVariables } from './variables.ts';

/** Returns the text of `npx @service/verifier --help`: the environment variables, and those of each provider. */
export function usage(): string {
  const rowsOf = ({ shape }: VariablesSchema) =>
    Object.entries(shape).map(
      ([name, form]) => `  ${name.padEnd(28)}${documentationOf(name, form).description.replaceAll('`', '')}`,
    );
  const providers = Object.entries(PROVIDER_KINDS).flatMap(([name, { variables }]) => [
    '',
    `With PROVIDER=${name}:`,
    ...rowsOf(variables),
  ]);
  return [
    'Usage: npx @service/verifier [audit]',
    '',
    'Runs the verifier until Ctrl-C. Environment variables configure it.',
    'Put a secret into a file, and name the file in <NAME>_FILE.',
    'With audit, it prints the audit trail instead, and checks its hashes.',
    '',
    ...rowsOf(verifierVariables as unknown as VariablesSchema),
    ...providers,
    '',
    'packages/verifier/README.md explains how it works.',
  ].join('\n');
}
