import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** Path of the committed program. */
export const PROGRAM_FILE = fileURLToPath(new URL('artifact/program.so', import.meta.url));

/** Reads the bytes of a program. Throws Error unless they match the digest in `<file>.sha256`. */
export async function readProgram(file: string = PROGRAM_FILE): Promise<Uint8Array> {
  const [so, digestFile] = await Promise.all([readFile(file), readFile(`${file}.sha256`, 'utf8')]);
  const digest = createHash('sha256').update(so).digest('hex');
  const expected = digestFile.slice(0, 64);
  if (digest === expected) return so;
  throw new Error(
    `The digest of ${file} is ${digest}, but ${file}.sha256 has ${expected}. Run npm run build -w @service/program.`,
  );
}
