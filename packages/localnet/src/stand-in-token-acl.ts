import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { address } from '@solana/kit';
import type { Localnet } from './localnet.ts';

/** The address of Token ACL. `@service/protocol` has it too, but a cluster needs no package of this project. */
const TOKEN_ACL_PROGRAM = address('TACLkU6CiCdkQN2MjoyDkVg2yAH9zkxiHDsiztQ52TP');

/** The built stand-in for Token ACL, for a validator that loads programs when it starts. */
export const TOKEN_ACL_PROGRAM_FILE = join(
  import.meta.dirname,
  '../stand-in-token-acl-program/artifact/stand-in-token-acl-program.so',
);

/**
 * Adds a stand-in for Token ACL (sRFC 37) to a cluster, at the address of Token ACL. The README of
 * `stand-in-token-acl-program` lists how it differs. Throws JournalError if the journal cannot be written.
 */
export function addStandInTokenAclProgram(net: Pick<Localnet, 'addProgram'>): void {
  net.addProgram(TOKEN_ACL_PROGRAM, new Uint8Array(readFileSync(TOKEN_ACL_PROGRAM_FILE)));
}
