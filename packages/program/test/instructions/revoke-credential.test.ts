import { credentialMessage, revocationMessage } from '@service/protocol';
import { describe, expect, it } from 'vitest';
import { addressOf, DAY, NOW } from '../support/chain.ts';
import { chainPerTest } from '../support/chain-per-test.ts';
import {
  addCredential,
  credentialOf,
  issueAlone,
  issueCredential,
  revocationOf,
  revokeAlone,
  revokeCredential,
  signedBy,
  statementOf,
} from '../support/credentials.ts';
import { at, setVerifier } from '../support/governance.ts';
import { expectDone, expectRefused } from '../support/outcome.ts';
import { eligibleChain, prove } from '../support/passes.ts';

const chain = chainPerTest(async () => {
  const ready = await eligibleChain();
  ready.setTime(later);
  return ready;
});

const later = NOW + DAY;

describe('revoke-credential', () => {
  it('revokes the credential and raises its time of issue; only the fee payer signs', async () => {
    const before = await credentialOf(chain);

    const outcome = expectDone(await chain.send(revokeCredential({ revokedAt: later })));

    expect(outcome.changed).toEqual([await at.credential(await addressOf('holder'))]);
    expect(await credentialOf(chain)).toEqual({ ...before, revoked: true, issuedAt: later });
    expectRefused(await chain.send(prove({ expiresAt: later + DAY })), 'CREDENTIAL_REVOKED');
  });

  it('revokes a credential that was issued in the same second', async () => {
    expectDone(await chain.send(revokeCredential({ revokedAt: NOW })));
    expect(await credentialOf(chain)).toMatchObject({ revoked: true, issuedAt: NOW });
  });

  it('rejects credentials that were signed before it and arrive late, to the second', async () => {
    expectDone(await chain.send(revokeCredential({ revokedAt: later })));
    for (const issuedAt of [NOW, NOW + 1n, later - 1n, later]) {
      expectRefused(await chain.send(issueCredential({ issuedAt })), 'CREDENTIAL_NOT_NEWER', 1);
    }
    expectDone(await chain.send(issueCredential({ issuedAt: later + 1n })));
    expect(await credentialOf(chain)).toMatchObject({ revoked: false, issuedAt: later + 1n });
  });

  it('does not touch a credential that was issued after it', async () => {
    await addCredential(chain, { issuedAt: later });
    const late = await revokeCredential({ revokedAt: later - 1n });
    expectRefused(await chain.send(...late), 'CREDENTIAL_NOT_NEWER', 1);
    expect((await credentialOf(chain)).revoked).toBe(false);
  });

  it('revokes a revoked credential up to a later time, not up to the same time', async () => {
    expectDone(await chain.send(revokeCredential({ revokedAt: later - 10n })));
    const earlier = await revokeCredential({ revokedAt: later - 11n });
    expectRefused(await chain.send(...earlier), 'CREDENTIAL_NOT_NEWER', 1);
    const same = await revokeCredential({ revokedAt: later - 10n });
    expectRefused(await chain.send(...same), 'CREDENTIAL_REVOKED', 1);
    expectDone(await chain.send(revokeCredential({ revokedAt: later })));
    expect(await credentialOf(chain)).toMatchObject({ revoked: true, issuedAt: later });
  });

  it('revokes a credential that has expired', async () => {
    chain.setTime(NOW + 400n * DAY);
    expectDone(await chain.send(revokeCredential({ revokedAt: NOW + 400n * DAY })));
    expect((await credentialOf(chain)).revoked).toBe(true);
  });

  it('works for an inactive verifier, which cannot issue again', async () => {
    expectDone(await chain.send(setVerifier({ active: false })));
    expectDone(await chain.send(revokeCredential({ revokedAt: later })));
    const next = await issueCredential({ issuedAt: later + 1n });
    expectRefused(await chain.send(...next), 'VERIFIER_INACTIVE', 1);
  });

  it('works once for an inactive verifier, so that its key cannot keep a wallet from another verifier', async () => {
    expectDone(await chain.send(setVerifier({ active: false })));
    expectDone(await chain.send(revokeCredential({ revokedAt: NOW + 300n })));
    chain.setTime(NOW + 301n);
    const again = await revokeCredential({ revokedAt: NOW + 301n });
    expectRefused(await chain.send(...again), 'CREDENTIAL_REVOKED');
    const another = { verifier: 'second verifier', previousVerifier: 'verifier', issuedAt: NOW + 301n };
    await addCredential(chain, another);
  });

  it('lets another verifier issue in its place', async () => {
    expectDone(await chain.send(revokeCredential({ revokedAt: later })));
    const next = { verifier: 'second verifier', previousVerifier: 'verifier', issuedAt: later + 1n };
    expectDone(await chain.send(issueCredential(next)));
    const verifier = await at.verifier(await addressOf('second verifier'));
    expect(await credentialOf(chain)).toMatchObject({ verifier, revoked: false });
    // The verifier before has no say over it.
    const by = await revokeCredential({ revokedAt: later + 2n });
    expectRefused(await chain.send(...by), 'VERIFIER_MISMATCH', 1);
  });

  it('of another verifier’s credential is refused, with its own signature', async () => {
    const by = await revokeCredential({ verifier: 'second verifier' });
    expectRefused(await chain.send(...by), 'VERIFIER_MISMATCH', 1);
  });

  describe('the signature of the verifier', () => {
    it('for a credential does not revoke, and for a revocation does not issue', async () => {
      const credential = await signedBy('verifier', credentialMessage(await statementOf()));
      expectRefused(await chain.send(credential, revokeAlone()), 'CREDENTIAL_SIGNATURE_INVALID', 1);
      const revocation = await signedBy(
        'verifier',
        revocationMessage(await revocationOf({ revokedAt: later })),
      );
      const issue = await issueAlone({ issuedAt: later });
      expectRefused(await chain.send(revocation, issue), 'CREDENTIAL_SIGNATURE_INVALID', 1);
    });

    it('for another wallet of the same verifier is refused', async () => {
      await addCredential(chain, { wallet: 'other holder' });
      const [signature] = await revokeCredential();
      const other = await revokeAlone({ wallet: 'other holder' });
      expectRefused(await chain.send(signature!, other), 'CREDENTIAL_SIGNATURE_INVALID', 1);
    });
  });
});
