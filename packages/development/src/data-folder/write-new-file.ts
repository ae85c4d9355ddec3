import { open, rename } from 'node:fs/promises';

/**
 * Writes a file that is either complete or missing, even after a kill. Only this user can read it.
 */
export async function writeNewFile(file: string, text: string): Promise<void> {
  const partial = `${file}.partial`;
  const handle = await open(partial, 'w', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(partial, file);
}
