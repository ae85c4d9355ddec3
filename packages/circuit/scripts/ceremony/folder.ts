/** The files in the folder of a ceremony. */
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** The published powers of tau. */
export const POWERS_OF_TAU = 'powers-of-tau.ptau';
/** The constraint system of the circuit. */
export const CONSTRAINTS = 'eligibility.r1cs';
/** The key after the last step. */
export const FINAL_KEY = 'final.zkey';
/** What the keys are for, and their beacon. */
export const RECORD = 'ceremony.json';

/** Returns the name of the key after some contributions. */
export function keyAfter(contributions: number): string {
  return `eligibility_${String(contributions).padStart(4, '0')}.zkey`;
}

/** Returns the number of contributions in the newest key of a folder, or undefined if it has none. */
export async function newestKey(folder: string): Promise<number | undefined> {
  const numbers = (await readdir(folder).catch(() => []))
    .map((name) => /^eligibility_(\d{4})\.zkey$/.exec(name)?.[1])
    .filter((number) => number !== undefined)
    .map(Number);
  return numbers.length === 0 ? undefined : Math.max(...numbers);
}

/** Writes a file whole or not at all, so that a step that was killed can be repeated. */
export async function writeWhole(folder: string, name: string, bytes: Uint8Array | string): Promise<void> {
  const partial = path.join(folder, `${name}.partial`);
  // Another contributor made the folder. A link of this name would lead the bytes to another file of this machine.
  await rm(partial, { force: true });
  await writeFile(partial, bytes, { flag: 'wx' });
  await rename(partial, path.join(folder, name));
}
