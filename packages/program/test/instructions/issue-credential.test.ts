import { addressBytes } from '@service/contract';
import { credentialMessage, ED25519_PROGRAM } from '@service/protocol';
import { fieldToBytes } from '@service/protocol/eligibility';
import { address, type Instruction } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { addressOf, DAY, NOW, PROGRAM } from '../support/chain.ts';
import { chainPerTest } from '../support/chain-per-test.ts';
import {
  CREDENTIAL_EXPIRY,
  commitmentBytes,
  credentialOf,
  issueAlone,
  issueCredential,
  revoke,
  signatureOf,
  signedBy,
  statementOf,
} from '../support/credentials.ts';
import { credentialAt, readyChain, setVerifier, verifierAt } from '../support/governance.ts';
import { MEMO } from '../support/instruction.ts';

const COMPUTE_BUDGET = address('ComputeBudget111111111111111111111111111111');
const OTHER_COMMITMENT = fieldToBytes(77n);

const chain = chainPerTest(readyChain);

describe('issue-credential', () => {
  it('creates a credential in a transaction that neither the wallet nor the verifier signs', async () => {
    const outcome = await chain.confirm(issueCredential());

    const [wallet, credential] = [await addressOf('holder'), await credentialAt('holder')];
    expect(outcome.changed).toEqual([credential]);
    expect(chain.account(credential)?.owner).toBe(PROGRAM);
    expect(await credentialOf(chain)).toMatchObject({
      wallet,
      verifier: await verifierAt('verifier'),
      commitment: commitmentBytes(),
      issuedAt: NOW,
      expiresAt: CREDENTIAL_EXPIRY,
      revoked: false,
    });
  });

  it('works as one of several instructions, with the signature right before it', async () => {
    const [signature, issue] = await issueCredential();
    await chain.confirm(MEMO, signature!, issue!, MEMO);
  });

  describe('the signature of the verifier', () => {
    it('is in the data of another program, which ignores what follows its own data', async () => {
      // To the compute budget program this asks for a heap of 0x8000 bytes, and the rest is not read.
      const message = credentialMessage(await statementOf());
      const [key, messageAt] = [16, 48];
      const entry = [0x80, 0, 0, 0, key, 0, 0, 0, messageAt, 0, message.length, 0, 0, 0];
      const data = Uint8Array.of(1, 0, ...entry, ...addressBytes(await addressOf('verifier')), ...message);
      const disguised: Instruction = { programAddress: COMPUTE_BUDGET, accounts: [], data };
      await chain.reject('CREDENTIAL_SIGNATURE_INVALID', disguised, issueAlone());
    });

    it('is over a longer message that begins with the right one', async () => {
      const message = Uint8Array.of(...credentialMessage(await statementOf()), ...new Uint8Array(32));
      await chain.reject('CREDENTIAL_SIGNATURE_INVALID', signedBy('verifier', message), issueAlone());
    });

    it.each([
      ['wallet', { wallet: 'outsider' }],
      ['commitment', { commitment: OTHER_COMMITMENT }],
      ['time of issue', { issuedAt: NOW + 1n }],
      ['expiry', { expiresAt: CREDENTIAL_EXPIRY + 1n }],
      ['verifier', { verifier: 'second verifier' }],
    ])('is used for another %s', async (_, change) => {
      const [signature] = await issueCredential();
      await chain.reject('CREDENTIAL_SIGNATURE_INVALID', signature!, issueAlone(change));
    });

    it('has a count of zero, or of two including its own', async () => {
      const none: Instruction = { programAddress: ED25519_PROGRAM, accounts: [], data: Uint8Array.of(0, 0) };
      const message = credentialMessage(await statementOf());
      const [own, other] = [await record('verifier', message), await record('unrelated wallet', message)];
      for (const signature of [none, precompile([own, other]), precompile([other, own])]) {
        await chain.reject('CREDENTIAL_SIGNATURE_INVALID', signature, issueAlone());
      }
    });

    /** Places of the three instruction indexes in the precompile's data. */
    const INDEXES = { signature: 4, key: 8, message: 14 } as const;

    it('has the right key, but makes the precompile check another key in another instruction', async () => {
      const message = credentialMessage(await statementOf());
      const forged = await signedBy('unrelated wallet', message);
      const shown = Uint8Array.from(forged.data!);
      shown.set(addressBytes(await addressOf('verifier')), 16);
      shown.set([0, 0], INDEXES.key);
      await chain.reject('CREDENTIAL_SIGNATURE_INVALID', forged, { ...forged, data: shown }, issueAlone());
    });

    it('has the right message, but makes the precompile check another message in another instruction', async () => {
      // The verifier signed a credential for the holder; the outsider wants it for itself.
      const signed = await signedBy('verifier', credentialMessage(await statementOf()));
      const shown = Uint8Array.from(signed.data!);
      shown.set(credentialMessage(await statementOf({ wallet: 'outsider' })), 112);
      shown.set([0, 0], INDEXES.message);
      const issue = await issueAlone({ wallet: 'outsider' });
      await chain.reject('CREDENTIAL_SIGNATURE_INVALID', signed, { ...signed, data: shown }, issue);
    });

    it('has its bytes in another instruction', async () => {
      const [signed, issue] = await issueCredential();
      const shown = Uint8Array.from(signed!.data!);
      shown.set([0, 0], INDEXES.signature);
      await chain.reject('CREDENTIAL_SIGNATURE_INVALID', signed!, { ...signed!, data: shown }, issue!);
    });

    it('has other offsets of key and message, while the usual places have the right ones', async () => {
      const right = credentialMessage(await statementOf());
      const shown = await signedBy('verifier', right);
      // After the usual layout come the other key, signature and message, and the offsets point to those.
      const { key, signature } = await record('unrelated wallet', right);
      const data = Uint8Array.of(...shown.data!, ...key, ...signature, ...right);
      const view = new DataView(data.buffer);
      const start = shown.data!.length;
      view.setUint16(2, start + 32, true);
      view.setUint16(6, start, true);
      view.setUint16(10, start + 96, true);
      await chain.reject('CREDENTIAL_SIGNATURE_INVALID', { ...shown, data }, issueAlone());
    });
  });

  describe('a credential in place of another', () => {
    const next = { issuedAt: NOW + 10n, commitment: OTHER_COMMITMENT };

    beforeEach(async () => {
      await chain.confirm(issueCredential());
      chain.setTime(NOW + 10n);
    });

    it('may come from the same verifier at any time', async () => {
      await chain.confirm(issueCredential(next));
      expect(await credentialOf(chain)).toMatchObject({ ...next, revoked: false });
    });

    it('must be issued later than the previous one', async () => {
      for (const issuedAt of [NOW, NOW - 1n]) {
        await chain.reject('CREDENTIAL_NOT_NEWER', issueCredential({ ...next, issuedAt }));
      }
    });

    it('must be issued later also when the previous one is revoked: a late callback does not undo it', async () => {
      await revoke(chain);
      await chain.reject('CREDENTIAL_NOT_NEWER', issueCredential());
      expect((await credentialOf(chain)).revoked).toBe(true);
      await chain.confirm(issueCredential(next));
      expect((await credentialOf(chain)).revoked).toBe(false);
    });

    it('must be issued later also when the previous one has expired', async () => {
      await chain.confirm(issueCredential({ ...next, expiresAt: NOW + DAY }));
      chain.setTime(NOW + DAY);
      await chain.reject('CREDENTIAL_NOT_NEWER', issueCredential({ ...next, expiresAt: NOW + 2n * DAY }));
    });

    const byOtherVerifier = { ...next, verifier: 'second verifier', previousVerifier: 'verifier' };

    it('of another verifier is refused while the previous one is live', async () => {
      await chain.reject('CREDENTIAL_HELD', issueCredential(byOtherVerifier));
      chain.setTime(CREDENTIAL_EXPIRY - 1n);
      const times = { issuedAt: CREDENTIAL_EXPIRY - 1n, expiresAt: CREDENTIAL_EXPIRY + DAY };
      await chain.reject('CREDENTIAL_HELD', issueCredential({ ...byOtherVerifier, ...times }));
    });

    it('of another verifier is accepted while the previous one is live if the wallet signs', async () => {
      const byWallet = true;
      await chain.confirm(issueCredential({ ...byOtherVerifier, byWallet }));
      expect((await credentialOf(chain)).verifier).toBe(await verifierAt('second verifier'));
      // Its signature does not make up for a time that is not later than the last one of the same verifier.
      const before = { ...next, issuedAt: NOW, previousVerifier: 'second verifier' };
      await chain.reject('CREDENTIAL_NOT_NEWER', issueCredential({ ...before, byWallet }));
    });

    it('of another verifier is accepted after the previous one has expired', async () => {
      chain.setTime(CREDENTIAL_EXPIRY);
      const late = { ...byOtherVerifier, issuedAt: CREDENTIAL_EXPIRY, expiresAt: CREDENTIAL_EXPIRY + DAY };
      await chain.confirm(issueCredential(late));
      expect((await credentialOf(chain)).verifier).toBe(await verifierAt('second verifier'));
    });

    it('of another verifier is accepted after the previous one is revoked', async () => {
      await revoke(chain);
      await chain.confirm(issueCredential(byOtherVerifier));
    });

    it('of another verifier is accepted after the previous verifier is deactivated', async () => {
      await chain.confirm(setVerifier({ active: false }));
      await chain.confirm(issueCredential(byOtherVerifier));
    });

    it('of another verifier needs the actual verifier of the previous one', async () => {
      const third = { verifier: 'third verifier', name: 'Third', active: false };
      await chain.confirm(setVerifier(third));
      for (const previousVerifier of ['third verifier', 'second verifier']) {
        await chain.reject('VERIFIER_MISMATCH', issueCredential({ ...byOtherVerifier, previousVerifier }));
      }
    });
  });

  it('refuses an inactive verifier', async () => {
    await chain.confirm(setVerifier({ active: false }));
    await chain.reject('VERIFIER_INACTIVE', issueCredential());
  });
});

async function record(name: string, message: Uint8Array) {
  return { key: addressBytes(await addressOf(name)), signature: await signatureOf(name, message), message };
}

/** A precompile instruction with several signatures, everything inside itself. */
function precompile(records: Awaited<ReturnType<typeof record>>[]): Instruction {
  const bytes: number[] = [];
  const start = 2 + records.length * 14;
  const offsets = records.flatMap(({ key, signature, message }) => {
    const at = start + bytes.length;
    bytes.push(...key, ...signature, ...message);
    return [at + 32, 0xffff, at, 0xffff, at + 96, message.length, 0xffff];
  });
  // The count has one byte, and the byte after it is not used.
  const header = new Uint8Array(Uint16Array.from([records.length, ...offsets]).buffer);
  return { programAddress: ED25519_PROGRAM, accounts: [], data: Uint8Array.of(...header, ...bytes) };
}
