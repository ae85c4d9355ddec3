/** `npx @service/cli <command>`: checks a receipt, deploys the protocol, shows settings and powers, and sends changes. */
import type { Environment } from '@service/configuration';
import { CEREMONY_SUMMARY, ceremony } from './ceremony.ts';
import { change } from './change/change.ts';
import type { Change } from './change/plan.ts';
import { DEPLOY_SUMMARY, deploy } from './deploy/deploy.ts';
import { CHANGES } from './governance/changes.ts';
import { describeGovernance, show } from './governance/show.ts';
import { ACTS } from './issuer/acts.ts';
import { NEW_KEY_SUMMARY, newKey } from './new-key.ts';
import { ended } from './output.ts';
import { powers } from './powers.ts';
import { VERIFY_USAGE, verify } from './verify.ts';

/**
 * Runs a command line. Returns the exit code: 0 when done, 1 if a receipt is invalid or the chain would reject a change, and 2
 * for other errors. `deploy` has exit codes of its own.
 */
export async function run(
  [command = '--help', ...rest]: readonly string[],
  environment: Environment = process.env,
): Promise<number> {
  if (command === 'verify') return verify(rest);
  if (command === 'new-key') return newKey(rest);
  if (command === 'ceremony') return ceremony(rest);
  if (command === 'deploy') return deploy(rest, environment);
  if (command === 'governance') return show(rest);
  if (command === 'powers') return powers(rest);
  if (Object.hasOwn(CHANGES, command)) return change(command, CHANGES[command]!, rest, describeGovernance);
  if (Object.hasOwn(ACTS, command)) return change(command, ACTS[command]!, rest);
  const isHelp = command === '--help' || command === '-h';
  return ended(isHelp ? 0 : 2, isHelp ? usage() : `There is no command ${command}.\n\n${usage()}`);
}

function usage(): string {
  return `${VERIFY_USAGE}
Usage: npx @service/cli new-key <file>

${NEW_KEY_SUMMARY}

Usage: npx @service/cli ceremony <step> [options]

${CEREMONY_SUMMARY} Pass --help after ceremony to see its steps.

Usage: npx @service/cli deploy [options]

${DEPLOY_SUMMARY} Pass --help after deploy to see its options.

Usage: npx @service/cli governance --deployment <file> [--rpc URL]

Shows the authorities, the pass fee, the pause and the treasury.

Usage: npx @service/cli powers --mint <address> --deployment <file> [--rpc URL]

Shows who can issue, take, freeze and pause the tokens of a mint, and who can change its rules.

Usage: npx @service/cli <change> --deployment <file> (--key <file> | --unsigned ADDRESS) [options] [--rpc URL]

Signs and sends one change, or prints its transaction without signatures. Pass --help after a change to see its options.

Governance:
${linesOf(CHANGES)}

Issuers, and creators of rule sets:
${linesOf(ACTS)}
`;
}

function linesOf(changes: Readonly<Record<string, Change>>): string {
  const width = Math.max(...Object.keys(changes).map((name) => name.length));
  return Object.entries(changes)
    .map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`)
    .join('\n');
}
