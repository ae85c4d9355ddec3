import { credentialMessage, revocationMessage } from '@service/protocol';
import { AccountRole, type Address } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { addressOf, DAY, HOUR, NOW, UNRELATED_WALLET } from '../support/chain.ts';
import { chainPerTest } from '../support/chain-per-test.ts';
import {
  CREDENTIAL_EXPIRY,
  credentialOf,
  issueAlone,
  issueCredential,
  revocationOf,
  revokeAlone,
  revokeCredential,
  signedBy,
  statementOf,
} from '../support/credentials.ts';
import { eventsOf } from '../support/events.ts';
import { at, credentialAt, PASS_FEE, setVerifier, verifierAt } from '../support/governance.ts';
import { withAccount } from '../support/instruction.ts';
import { marketChain, transfer } from '../support/market.ts';
import type { ErrorName } from '../support/outcome.ts';
import { eligibleChain, prove } from '../support/passes.ts';
import { addRuleSet, passAt, RULE } from '../support/rule-sets.ts';

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

  describe('before there is a credential', () => {
    const first = { wallet: 'newcomer' };

    it('is recorded at the cost of the payer, so that what was signed earlier cannot land', async () => {
      const revoking = revokeCredential({ ...first, revokedAt: later });
      const outcome = await chain.confirm(revoking);

      expect(outcome.changed).toEqual([await credentialAt('newcomer')]);
      expect(await credentialOf(chain, 'newcomer')).toMatchObject({
        verifier: await verifierAt('verifier'),
        commitment: new Uint8Array(32),
        issuedAt: later,
        expiresAt: 0n,
        revoked: true,
      });
      expect(chain.aboveRent(await credentialAt('newcomer'))).toBe(0n);
      for (const issuedAt of [later - 1n, later]) {
        await chain.reject('CREDENTIAL_NOT_NEWER', issueCredential({ ...first, issuedAt }));
      }
      const next = { verifier: 'second verifier', previousVerifier: 'verifier', issuedAt: later + 1n };
      await chain.confirm(issueCredential({ ...first, ...next }));
    });

    it('needs an active verifier', async () => {
      await chain.confirm(setVerifier({ active: false }));
      await chain.reject('VERIFIER_INACTIVE', revokeCredential({ ...first, revokedAt: later }));
    });

    it.each([
      ['revoked', () => chain.confirm(revokeCredential({ revokedAt: NOW }))],
      ['expired', () => chain.setTime(CREDENTIAL_EXPIRY)],
    ])('replaces a %s one of another verifier, if the verifier is active', async (_, end) => {
      const revoking = () => revokeCredential({ verifier: 'second verifier', revokedAt: chain.time });
      await chain.reject('VERIFIER_MISMATCH', revoking());
      await end();
      await chain.confirm(setVerifier({ verifier: 'second verifier', active: false }));
      await chain.reject('VERIFIER_INACTIVE', revoking());
      await chain.confirm(setVerifier({ verifier: 'second verifier' }));

      await chain.confirm(revoking());

      const verifier = await verifierAt('second verifier');
      const commitment = new Uint8Array(32);
      const revoked = { verifier, commitment, revoked: true, issuedAt: chain.time, expiresAt: 0n };
      expect(await credentialOf(chain)).toMatchObject(revoked);
      const earlier = { verifier: 'second verifier', issuedAt: chain.time, expiresAt: chain.time + DAY };
      await chain.reject('CREDENTIAL_NOT_NEWER', issueCredential(earlier));
    });
  });

  describe('the passes that are passed along', () => {
    const holders = chainPerTest(async () => {
      const ready = await marketChain();
      await addRuleSet(ready, { nonce: 2n, passFunds: PASS_FEE });
      const rule = await at.ruleSet(await addressOf('issuer'), 2n);
      await ready.confirm(prove({ wallet: 'other holder', rule }));
      ready.setTime(later);
      return ready;
    });
    const wallet = 'other holder';
    const revoking = (passes: Address[]) => revokeCredential({ wallet, revokedAt: later, passes });
    const passes = async () => [
      await passAt(wallet),
      await passAt(wallet, await at.ruleSet(await addressOf('issuer'), 2n)),
    ];

    it('end with it: the wallet gets the rent, and no transfer to the wallet succeeds', async () => {
      await holders.confirm(transfer());
      const holder = await addressOf(wallet);
      const ended = await passes();
      const before = [holder, ...ended].reduce((sum, each) => sum + holders.lamports(each), 0n);

      const outcome = await holders.confirm(revoking(ended));

      expect([...outcome.changed].sort()).toEqual([await credentialAt(wallet), ...ended].sort());
      expect(ended.map((pass) => holders.account(pass))).toEqual([null, null]);
      expect(holders.lamports(holder)).toBe(before);
      const events = eventsOf(outcome).map(({ event }) => event);
      expect(events).toEqual(['credentialRevoked', 'passClosed', 'passClosed']);
      await holders.reject('DESTINATION_PASS_MISSING', transfer());
    });

    it('end, but keep their accounts in the hour after the proof', async () => {
      holders.setTime(NOW + HOUR - 1n);
      const early = { wallet, revokedAt: NOW + 1n, passes: await passes() };
      await holders.confirm(revokeCredential(early));
      await holders.reject('DESTINATION_PASS_EXPIRED', transfer());
      // They ended before: a later revocation does not fail because of them, and closes them after the hour.
      await holders.confirm(revokeCredential({ ...early, revokedAt: NOW + 2n }));
      expect(holders.account(early.passes[0]!)).not.toBeNull();
      holders.setTime(NOW + HOUR);
      await holders.confirm(revokeCredential({ ...early, revokedAt: NOW + 3n }));
      expect(early.passes.map((pass) => holders.account(pass))).toEqual([null, null]);
    });

    it('must be passes of the wallet, writable, and each once', async () => {
      const [pass] = await passes();
      const [signature, alone] = await revoking([pass!]);
      const last = alone!.accounts!.length - 1;
      const others: [ErrorName, Address][] = [
        ['WRONG_ADDRESS', await passAt('holder')],
        ['WRONG_ACCOUNT_TYPE', RULE],
        ['WRONG_OWNER', UNRELATED_WALLET],
        ['WRONG_OWNER', await passAt('outsider')],
      ];
      for (const [error, address] of others) {
        await holders.reject(error, signature!, withAccount(alone!, last, { address }));
        await holders.reject(error, revoking([pass!, address]));
      }
      const readOnly = withAccount(alone!, last, { role: AccountRole.READONLY });
      await holders.reject('NOT_WRITABLE', signature!, readOnly);
      await holders.reject(/WRONG|./, revoking([pass!, pass!]));
      await holders.confirm(signature!, alone!);
    });

    it('are at most 20', async () => {
      const [pass] = await passes();
      await holders.reject('WRONG_OWNER', revoking([pass!, ...Array<Address>(19).fill(UNRELATED_WALLET)]));
      await holders.reject(
        'WRONG_ACCOUNT_COUNT',
        revoking([pass!, ...Array<Address>(20).fill(UNRELATED_WALLET)]),
      );
    });
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
