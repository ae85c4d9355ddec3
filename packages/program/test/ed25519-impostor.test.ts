/**
 * The one forgery of a credential that needs a program of the forger's own: an instruction with the very data of the
 * ed25519 precompile, sent to a program that takes anything, so that nobody has checked the signature in it.
 */
import { credentialMessage, ed25519Instruction } from '@service/protocol';
import { RULE_SET_PASS_ERROR__CREDENTIAL_SIGNATURE_INVALID as CREDENTIAL_SIGNATURE_INVALID } from '@service/protocol/generated';
import type { Address } from '@solana/kit';
import { LiteSVM } from 'litesvm';
import { describe, expect, it } from 'vitest';
import { FIRST_ADDRESS, writeSharedObject } from '../toolchain/elf-shared-object.mjs';
import { issueAlone, statementOf } from './_credentials.ts';
import { at, readyChain } from './_governance.ts';
import { expectDone, expectRefused } from './_outcome.ts';
import { addressOf, Chain } from './_setup.ts';

/** `call sol_log_64_; mov64 r0, 0; exit`: a program that succeeds whatever it is given. */
const TAKES_ANYTHING = Buffer.from('85100000ffffffffb7000000000000009500000000000000', 'hex');
/** The loader wants at least one relocation: that of the call to the syscall. */
const CALL = { address: FIRST_ADDRESS, type: 10, symbol: 1 };

async function deployTakesAnything(chain: Chain, program: Address): Promise<Chain> {
  const svm = LiteSVM.fromBytes(chain.save());
  const text = { address: FIRST_ADDRESS, bytes: TAKES_ANYTHING };
  const rodata = { address: FIRST_ADDRESS + TAKES_ANYTHING.length, bytes: Buffer.alloc(0) };
  const [syscalls, relocations] = [['sol_log_64_'], [CALL]];
  svm.addProgram(program, writeSharedObject({ text, rodata, entry: FIRST_ADDRESS, syscalls, relocations }));
  return Chain.from(svm.toBytes());
}

describe('issue-credential', () => {
  it('refuses the data of the precompile in an instruction of another program', async () => {
    const impostor = await addressOf('impostor');
    const chain = await deployTakesAnything(await readyChain(), impostor);
    const forged = {
      ...ed25519Instruction({
        publicKey: await addressOf('verifier'),
        signature: new Uint8Array(64),
        message: credentialMessage(await statementOf()),
      }),
      programAddress: impostor,
    };
    expectDone(await chain.send(forged));

    const outcome = await chain.send(forged, await issueAlone());

    expectRefused(outcome, CREDENTIAL_SIGNATURE_INVALID, 1);
    expect(chain.account(await at.credential(await addressOf('holder')))).toBeNull();
  });
});
