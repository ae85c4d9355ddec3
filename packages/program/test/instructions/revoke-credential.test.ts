import { credentialMessage, revocationMessage } from '@service/protocol';
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY, NOW } from '../support/chain.ts';
import { chainPerTest } from '../support/chain-per-test.ts';
import {
  credentialOf,
  issueAlone,
  issueCredential,
  revocationOf,
  revokeAlone,
  revokeCredential,
  signedBy,
  statementOf,
} from '../support/credentials.ts';
import { credentialAt, setVerifier, verifierAt } from '../support/governance.ts';
import { eligibleChain, prove } from '../support/passes.ts';

const chain = chainPerTest(eligibleChain);
const later = NOW + DAY;

beforeEach(() => chain.setTime(later));

describe('revoke-credential', () => {
  it('revokes the credential and raises its time of issue; only the fee payer signs', async () => {
    const before = await credentialOf(chain);

    const outcome = await chain.confirm(revokeCredential({ revokedAt: later }));

    expect(outcome.changed).toEqual([await credentialAt('holder')]);
    expect(await credentialOf(chain)).toEqual({ ...before, revoked: true, issuedAt: later });
    await chain.reject('CREDENTIAL_REVOKED', prove({ expiresAt: later + DAY }));
  });

  it('revokes a credential that was issued in the same second', async () => {
    await chain.confirm(revokeCredential({ revokedAt: NOW }));
    expect(await credentialOf(chain)).toMatchObject({ revoked: true, issuedAt: NOW });
  });

  it('rejects credentials that were signed before it and arrive late, to the second', async () => {
    await chain.confirm(revokeCredential({ revokedAt: later }));
    for (const issuedAt of [NOW, NOW + 1n, later - 1n, later]) {
      await chain.reject('CREDENTIAL_NOT_NEWER', issueCredential({ issuedAt }));
    }
    await chain.confirm(issueCredential({ issuedAt: later + 1n }));
    expect(await credentialOf(chain)).toMatchObject({ revoked: false, issuedAt: later + 1n });
  });

  it('does not touch a credential that was issued after it', async () => {
    await chain.confirm(issueCredential({ issuedAt: later }));
    await chain.reject('CREDENTIAL_NOT_NEWER', revokeCredential({ revokedAt: later - 1n }));
    expect((await credentialOf(chain)).revoked).toBe(false);
  });

  it('revokes a revoked credential up to a later time, not up to the same time', async () => {
    await chain.confirm(revokeCredential({ revokedAt: later - 10n }));
    await chain.reject('CREDENTIAL_NOT_NEWER', revokeCredential({ revokedAt: later - 11n }));
    await chain.reject('CREDENTIAL_REVOKED', revokeCredential({ revokedAt: later - 10n }));
    await chain.confirm(revokeCredential({ revokedAt: later }));
    expect(await credentialOf(chain)).toMatchObject({ revoked: true, issuedAt: later });
  });

  it('revokes a credential that has expired', async () => {
    chain.setTime(NOW + 400n * DAY);
    await chain.confirm(revokeCredential({ revokedAt: NOW + 400n * DAY }));
    expect((await credentialOf(chain)).revoked).toBe(true);
  });

  it('works for an inactive verifier, which cannot issue again', async () => {
    await chain.confirm(setVerifier({ active: false }));
    await chain.confirm(revokeCredential({ revokedAt: later }));
    await chain.reject('VERIFIER_INACTIVE', issueCredential({ issuedAt: later + 1n }));
  });

  it('works once for an inactive verifier, so that its key cannot keep a wallet from another verifier', async () => {
    await chain.confirm(setVerifier({ active: false }));
    await chain.confirm(revokeCredential({ revokedAt: NOW + 300n }));
    chain.setTime(NOW + 301n);
    await chain.reject('CREDENTIAL_REVOKED', revokeCredential({ revokedAt: NOW + 301n }));
    const another = { verifier: 'second verifier', previousVerifier: 'verifier', issuedAt: NOW + 301n };
    await chain.confirm(issueCredential(another));
  });

  it('lets another verifier issue in its place', async () => {
    await chain.confirm(revokeCredential({ revokedAt: later }));
    const next = { verifier: 'second verifier', previousVerifier: 'verifier', issuedAt: later + 1n };
    await chain.confirm(issueCredential(next));
    const verifier = await verifierAt('second verifier');
    expect(await credentialOf(chain)).toMatchObject({ verifier, revoked: false });
    // The verifier before has no say over it.
    await chain.reject('VERIFIER_MISMATCH', revokeCredential({ revokedAt: later + 2n }));
  });

  it('of another verifier’s credential is refused, with its own signature', async () => {
    await chain.reject('VERIFIER_MISMATCH', revokeCredential({ verifier: 'second verifier' }));
  });

  describe('the signature of the verifier', () => {
    it('for a credential does not revoke, and for a revocation does not issue', async () => {
      const credential = await signedBy('verifier', credentialMessage(await statementOf()));
      await chain.reject('CREDENTIAL_SIGNATURE_INVALID', credential, revokeAlone());
      const revocation = await signedBy(
        'verifier',
        revocationMessage(await revocationOf({ revokedAt: later })),
      );
      await chain.reject('CREDENTIAL_SIGNATURE_INVALID', revocation, issueAlone({ issuedAt: later }));
    });

    it('for another wallet of the same verifier is refused', async () => {
      await chain.confirm(issueCredential({ wallet: 'other holder' }));
      const [signature] = await revokeCredential();
      await chain.reject('CREDENTIAL_SIGNATURE_INVALID', signature!, revokeAlone({ wallet: 'other holder' }));
    });
  });
});
