/** `npm start`: runs the development stack and its demo until Ctrl-C, and writes deployment.json for the examples. */
import { ConfigurationError } from '@service/configuration';
import { readEvents } from '@service/server/events';
import { CommandLineError, readCommandLine, usage } from './command-line.ts';
import type { Options } from './run.ts';

const options = readOptions();
// Load the stack only now: that takes seconds, and --help and a wrong option do not need it.
const { run } = await import('./run.ts');
await run(options);

/** Reads the command line and the variables of events. Ends the process for `--help`, and for an invalid value. */
function readOptions(): Options {
  try {
    const read = readCommandLine(process.argv.slice(2));
    if (read) return { ...read, events: readEvents(process.env) };
    console.log(usage());
    process.exit(0);
  } catch (error) {
    const isOption = error instanceof CommandLineError;
    if (!isOption && !(error instanceof ConfigurationError)) throw error;
    console.error(error.message);
    process.exit(isOption ? error.exitCode : 2);
  }
}
