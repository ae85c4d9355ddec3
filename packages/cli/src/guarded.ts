/** Turns the error that stops a command into a message and an exit code. */
import { DeployError } from '@service/deploy';
import { PlanError } from '@service/protocol';
import { isServiceError } from '@service/sdk';
import { UsageError } from './options.ts';
import { ended, plain } from './output.ts';

/** The usage of a command. */
export interface Usage {
  /** The command, without `npx @service/cli`. */
  readonly usage: string;
  /** What each option is. One with an empty text takes no value. */
  readonly options: Readonly<Record<string, string>>;
}

/** Runs a command, or shows its usage for `--help`. Returns its exit code, or 2 if it could not run or finish. */
export async function guarded(
  argv: readonly string[],
  usage: Usage,
  run: () => Promise<number>,
): Promise<number> {
  if (argv.includes('--help') || argv.includes('-h')) return ended(0, textOf(usage));
  try {
    return await run();
  } catch (error) {
    if (error instanceof UsageError) return ended(2, `${plain(error.message)}\n\n${textOf(usage)}`);
    const { message } = error as Error;
    const isCoded = isServiceError(error) || error instanceof PlanError || error instanceof DeployError;
    return ended(2, plain(isCoded ? `${error.code}: ${message}` : message));
  }
}

function textOf({ usage, options }: Usage): string {
  const width = Math.max(...Object.keys(options).map((name) => name.length));
  const lines = Object.entries(options).map(
    ([name, what]) => `  --${name.padEnd(width)}  ${what || 'takes no value'}`,
  );
  return `Usage: npx @service/cli ${usage}\n\n${lines.join('\n')}\n`;
}
