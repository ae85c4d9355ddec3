/** What the commands print. */

/** Prints a text, and returns the exit code. */
export function ended(code: number, text: string): number {
  console[code === 0 ? 'log' : 'error'](text);
  return code;
}

/** Replaces control characters in each line. */
export function plainLines(text: string): string {
  return text.split('\n').map(plain).join('\n');
}

/** Replaces control characters, which could overwrite earlier lines on a terminal. */
export function plain(line: string): string {
  return line.replaceAll(/\p{C}|\p{Zl}|\p{Zp}/gu, '?');
}
