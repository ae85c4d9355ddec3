/** The verifier's signature, which `issue-credential` and `revoke-credential` require right before them. */
import { credentialMessage, revocationMessage } from '@service/protocol';
import { describe, expect, it } from 'vitest';
import { chainPerTest } from '../support/chain-per-test.ts';
import {
  issueAlone,
  issueCredential,
  revocationOf,
  revokeAlone,
  revokeCredential,
  signedBy,
  statementOf,
} from '../support/credentials.ts';
import { readyChain } from '../support/governance.ts';
import { MEMO } from '../support/instruction.ts';
import { eligibleChain } from '../support/passes.ts';

type Changes = Record<string, (message: Uint8Array) => Uint8Array>;

const flipped = (offset: number) => (message: Uint8Array) => message.with(offset, message[offset]! ^ 1);

const CHANGES: Changes = {
  domain: (message) => message.with(8, 0x32),
  program: flipped(21),
  'genesis hash': flipped(53),
  wallet: flipped(85),
  'length, one byte more': (message) => Uint8Array.of(...message, 0),
  'length, one byte less': (message) => message.slice(0, -1),
};

describe.each([
  {
    name: 'issue-credential',
    setUp: readyChain,
    signedAndAlone: issueCredential,
    alone: issueAlone,
    messageOf: async () => credentialMessage(await statementOf()),
    bytes: 165,
    changes: {
      ...CHANGES,
      commitment: flipped(148),
      'time of issue': flipped(149),
      expiry: flipped(157),
      'order of the times': (message) =>
        Uint8Array.of(...message.slice(0, 149), ...message.slice(157), ...message.slice(149, 157)),
    } as Changes,
  },
  {
    name: 'revoke-credential',
    setUp: eligibleChain,
    signedAndAlone: revokeCredential,
    alone: revokeAlone,
    messageOf: async () => revocationMessage(await revocationOf()),
    bytes: 125,
    changes: { ...CHANGES, time: flipped(117) } as Changes,
  },
])('the signature of the verifier before $name', ({ setUp, signedAndAlone, alone, ...signed }) => {
  const chain = chainPerTest(setUp);

  it('is missing', async () => {
    await chain.reject('CREDENTIAL_SIGNATURE_INVALID', alone());
    await chain.reject('CREDENTIAL_SIGNATURE_INVALID', MEMO, alone());
  });

  it('is not directly before, or comes after', async () => {
    const [signature, instruction] = await signedAndAlone();
    await chain.reject('CREDENTIAL_SIGNATURE_INVALID', signature!, MEMO, instruction!);
    await chain.rejectAt(0, 'CREDENTIAL_SIGNATURE_INVALID', instruction!, signature!);
  });

  it('serves one instruction only', async () => {
    const [signature, instruction] = await signedAndAlone();
    await chain.reject('CREDENTIAL_SIGNATURE_INVALID', signature!, instruction!, instruction!);
  });

  it.each(['unrelated wallet', 'second verifier', 'governance', 'holder'])(
    'is of another key: %s',
    async (name) => {
      const signature = signedBy(name, await signed.messageOf());
      await chain.reject('CREDENTIAL_SIGNATURE_INVALID', signature, alone());
    },
  );

  it('does not verify: the precompile rejects it', async () => {
    const [signature, instruction] = await signedAndAlone();
    const data = flipped(48)(Uint8Array.from(signature!.data!));
    await chain.reject(/InstructionError\(0/, { ...signature!, data }, instruction!);
  });

  it.each(Object.keys(signed.changes))('is over another message: %s', async (name) => {
    const message = await signed.messageOf();
    expect(message).toHaveLength(signed.bytes);
    const signature = signedBy('verifier', signed.changes[name]!(message));
    await chain.reject('CREDENTIAL_SIGNATURE_INVALID', signature, alone());
  });
});
