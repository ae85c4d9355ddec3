import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { address } from '@solana/kit';
import type { Localnet } from './localnet.ts';

/** The address of Lighthouse. `@service/protocol` has it too, but a cluster needs no package of this project. */
const LIGHTHOUSE_PROGRAM = address('L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95');

/** The built stand-in for Lighthouse, for a validator that loads programs when it starts. */
export const GUARD_PROGRAM_FILE = join(
  import.meta.dirname,
  '../stand-in-guard-program/artifact/stand-in-guard-program.so',
);

/**
 * Adds a stand-in for Lighthouse to a cluster, at the address of Lighthouse. It evaluates assertions about accounts and
 * token accounts. The README of `stand-in-guard-program` lists how it differs. Throws JournalError if the journal cannot be
 * written.
 */
export function addStandInGuardProgram(net: Pick<Localnet, 'addProgram'>): void {
  net.addProgram(LIGHTHOUSE_PROGRAM, new Uint8Array(readFileSync(GUARD_PROGRAM_FILE)));
}
