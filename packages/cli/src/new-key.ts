/** `npx @service/cli new-key FILE`. */
import { rm, writeFile } from 'node:fs/promises';
import { getAddressDecoder } from '@solana/kit';
import nacl from 'tweetnacl';
import { ended } from './output.ts';

/** What the command does. */
export const NEW_KEY_SUMMARY =
  'Writes a new key to a file, in the form of solana-keygen, and prints its address. Keep a copy: nobody can restore it.';

const USAGE = `Usage: npx @service/cli new-key <file>\n\n${NEW_KEY_SUMMARY}\n`;

/** Writes a key that only the user can read. Returns the exit code: 0, or 2 if the file exists or cannot be written. */
export async function newKey(argv: readonly string[]): Promise<number> {
  const [file, ...others] = argv;
  if (file === '--help' || file === '-h') return ended(0, USAGE);
  if (file === undefined || file.startsWith('-') || others.length > 0) return ended(2, USAGE);
  const { publicKey, secretKey } = nacl.sign.keyPair();
  try {
    // `wx`: a key that is overwritten is lost, with everything that it owns.
    await writeFile(file, `${JSON.stringify([...secretKey])}\n`, { flag: 'wx', mode: 0o600, flush: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A part of a key, as on a full disk, would block the next try.
    if (code !== 'EEXIST') await rm(file, { force: true }).catch(() => undefined);
    const remedy = code === 'EEXIST' ? 'It exists. Name another file.' : `It cannot be written (${code}).`;
    return ended(2, `The key was not written to ${file}. ${remedy}`);
  }
  return ended(0, getAddressDecoder().decode(publicKey));
}
