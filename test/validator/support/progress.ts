/** Returns a function that prints a line with the seconds since a time in Unix milliseconds. */
export function progressSince(startedAt: number): (line: string) => void {
  return (line) => {
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1).padStart(6);
    // Not console.log, so that vitest adds no heading.
    process.stdout.write(`${seconds} s ${line}\n`);
  };
}
