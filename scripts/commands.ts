/** Commands of the repository, as `spawn` takes them. */

/** A program with its arguments, and the environment variables that it needs. */
export interface Command {
  readonly command: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
}

/** Returns the command that runs a TypeScript file. */
export function script(...args: string[]): Command['command'] {
  return [process.execPath, '--import', 'tsx', ...args];
}

/** Returns the command that runs tests. */
export function tests(...args: string[]): Command['command'] {
  return [process.execPath, 'node_modules/vitest/vitest.mjs', 'run', ...args];
}
