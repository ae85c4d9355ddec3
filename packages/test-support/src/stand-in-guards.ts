import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Localnet } from '@service/localnet';
import { address } from '@solana/kit';

/** The address of Lighthouse, whose instructions wallets add as guards. */
export const GUARD_PROGRAM = address('L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95');

/** The built stand-in, to load it when a cluster starts. */
export const GUARD_PROGRAM_FILE = join(
  import.meta.dirname,
  '../stand-in-guard-program/artifact/stand-in-guard-program.so',
);

/**
 * Adds a stand-in for Lighthouse to a cluster, at the address of Lighthouse. It evaluates assertions about accounts and
 * token accounts. The README of `stand-in-guard-program` lists how it differs.
 */
export function addStandInGuardProgram(net: Pick<Localnet, 'addProgram'>): void {
  net.addProgram(GUARD_PROGRAM, new Uint8Array(readFileSync(GUARD_PROGRAM_FILE)));
}
