import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';

/** Waits until a program prints a line that matches. Rejects with what it printed, if the program ends first. */
export async function printedBy(
  program: ChildProcess,
  output: Readable,
  pattern: RegExp,
): Promise<RegExpExecArray> {
  const ended = once(program, 'close').then(() => null);
  let printed = '';
  output.setEncoding('utf8').on('data', (text: string) => (printed += text));
  for (;;) {
    const found = pattern.exec(printed);
    if (found) return found;
    const more = await Promise.race([once(output, 'data'), ended]);
    if (more === null) throw new Error(`${program.spawnfile} ended before it printed ${pattern}: ${printed}`);
  }
}
