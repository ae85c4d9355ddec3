/** `npx @service/sdk <command>`: checks a receipt, or shows and changes what governance and the creators of rule sets decide. */
import { change } from './change.ts';
import { CHANGES } from './changes.ts';
import { ended } from './output.ts';
import { show } from './show.ts';
import { VERIFY_USAGE, verify } from './verify.ts';

/** Runs a command line. Returns the exit code: 0 when done, 1 if the answer is no, 2 if it could not be tried or finished. */
export async function run([command = '--help', ...rest]: readonly string[]): Promise<number> {
  if (command === 'verify') return verify(rest);
  if (command === 'governance') return show(rest);
  const found = Object.hasOwn(CHANGES, command) ? CHANGES[command] : undefined;
  if (found) return change(command, found, rest);
  const isHelp = command === '--help' || command === '-h';
  return ended(isHelp ? 0 : 2, isHelp ? usage() : `There is no command ${command}.\n\n${usage()}`);
}

function usage(): string {
  const width = Math.max(...Object.keys(CHANGES).map((name) => name.length));
  const lines = Object.entries(CHANGES).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return `${VERIFY_USAGE}
Usage: npx @service/sdk governance --deployment <file> [--rpc URL]

Shows the authorities, the pass fee, the pause and the treasury.

Usage: npx @service/sdk <change> --deployment <file> (--key <file> | --unsigned ADDRESS) [options] [--rpc URL]

Signs and sends one change, or prints its transaction without signatures. --help after a change shows its options.
${lines.join('\n')}
`;
}
