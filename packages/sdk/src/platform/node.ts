import { open } from 'node:fs/promises';
import path from 'node:path';

/** Whether worker threads can be started. In Node a refusal is an exception, so there is nothing to find out before. */
export async function canStartWorkers(): Promise<boolean> {
  return true;
}

/**
 * Reads a file of a directory.
 *
 * @param limit bytes; a larger file is refused before it is read
 * @throws Error when the file is missing, unreadable or too large
 */
export async function readLocalFile({
  directory,
  name,
  limit,
  signal,
}: {
  readonly directory: string;
  readonly name: string;
  readonly limit: number;
  readonly signal: AbortSignal;
}): Promise<Uint8Array> {
  const file = await open(path.join(directory, name));
  try {
    const { size } = await file.stat();
    if (size > limit) throw new Error(`${name} has ${size} bytes, of at most ${limit}`);
    return new Uint8Array(await file.readFile({ signal }));
  } finally {
    await file.close();
  }
}
