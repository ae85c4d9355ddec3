import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The committed program. */
export const PROGRAM_FILE = fileURLToPath(import.meta.resolve('@service/program/program.so'));

/** The program's bytes. Throws Error unless they have the digest in the file beside them. */
export async function readProgram(file: string = PROGRAM_FILE): Promise<Uint8Array> {
  const [so, listed] = await Promise.all([readFile(file), readFile(`${file}.sha256`, 'utf8')]);
  const digest = createHash('sha256').update(so).digest('hex');
  if (digest !== listed.slice(0, 64)) {
    throw new Error(
      `${file} has the digest ${digest}, its .sha256 says ${listed.slice(0, 64)}: run npm run program:build`,
    );
  }
  return so;
}
