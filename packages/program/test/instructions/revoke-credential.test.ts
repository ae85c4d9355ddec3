import { credentialMessage, revocationMessage } from '@service/protocol';
import { AccountRole, type Address } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { addressOf, DAY, HOUR, NOW } from '../support/chain.ts';
import { chainPerTest } from '../support/chain-per-test.ts';
import {
  ATTRIBUTES,
  CREDENTIAL_EXPIRY,
  commitmentBytes,
  credentialOf,
  discardCredential,
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
import { closePass, eligibleChain, prove } from '../support/passes.ts';
import { addRuleSet, passAt, RULE } from '../support/rule-sets.ts';
import { tokens } from '../support/token-instructions.ts';

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
    await chain.confirm(revokeCredential({ revokedAt: later + 2n }));
    expect(await credentialOf(chain)).toMatchObject({ verifier, revoked: false });
  });

  it('does not touch the credential of another verifier, and reports no event of it', async () => {
    const { voidUntil: _, otherVerifier: __, otherVoidUntil: ___, ...before } = await credentialOf(chain);
    const outcome = await chain.confirm(revokeCredential({ verifier: 'second verifier' }));
    expect(await credentialOf(chain)).toMatchObject(before);
    expect(eventsOf(outcome)).toEqual([]);
    await chain.reject('CREDENTIAL_NOT_NEWER', revokeCredential({ verifier: 'second verifier' }));
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
      ['valid', () => undefined],
    ])('is kept beside a %s one of another verifier, if the verifier is active', async (_, end) => {
      const revoking = () => revokeCredential({ verifier: 'second verifier', revokedAt: chain.time });
      await end();
      const { verifier, revoked, issuedAt } = await credentialOf(chain);
      await chain.confirm(setVerifier({ verifier: 'second verifier', active: false }));
      await chain.reject('VERIFIER_INACTIVE', revoking());
      await chain.confirm(setVerifier({ verifier: 'second verifier' }));

      await chain.confirm(revoking());

      expect(await credentialOf(chain)).toMatchObject({ verifier, revoked, issuedAt });
      const names = { verifier: 'second verifier', previousVerifier: 'verifier', byWallet: true };
      const earlier = { ...names, issuedAt: chain.time, expiresAt: chain.time + DAY };
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

    describe('end whatever came before:', () => {
      const byAnother = { wallet, verifier: 'second verifier', previousVerifier: 'verifier', byWallet: true };
      const salted = commitmentBytes({ ...ATTRIBUTES, salt: 7n });

      it('the wallet discarded the credential a moment ago', async () => {
        await holders.confirm(discardCredential({ wallet }));
        const discarded = await credentialOf(holders, wallet);

        const late = revokeCredential({ wallet, revokedAt: later - 1n, passes: await passes() });
        const outcome = await holders.confirm(late);

        expect((await passes()).map((pass) => holders.account(pass))).toEqual([null, null]);
        expect(await credentialOf(holders, wallet)).toEqual(discarded);
        expect(eventsOf(outcome).map(({ event }) => event)).toEqual(['passClosed', 'passClosed']);
      });

      it('another verifier replaced the credential', async () => {
        await holders.confirm(issueCredential({ ...byAnother, issuedAt: later }));
        const { verifier, commitment, issuedAt } = await credentialOf(holders, wallet);

        await holders.confirm(revoking(await passes()));

        expect((await passes()).map((pass) => holders.account(pass))).toEqual([null, null]);
        const kept = { verifier, commitment, issuedAt, revoked: false };
        expect(await credentialOf(holders, wallet)).toMatchObject(kept);
      });

      it('its verifier replaced the credential, and revokes what it signed before', async () => {
        await holders.confirm(issueCredential({ wallet, issuedAt: later, commitment: salted }));
        await holders.confirm(revokeCredential({ wallet, revokedAt: NOW, passes: await passes() }));
        expect((await passes()).map((pass) => holders.account(pass))).toEqual([null, null]);
        expect(await credentialOf(holders, wallet)).toMatchObject({ revoked: false, issuedAt: later });
      });

      it('anybody closed a pass of the list', async () => {
        await holders.confirm(discardCredential({ wallet }));
        await holders.confirm(closePass({ holder: wallet }));
        await holders.confirm(revoking(await passes()));
        expect((await passes()).map((pass) => holders.account(pass))).toEqual([null, null]);
      });

      it('a pass is in the list twice, young or old', async () => {
        const [first, other] = await passes();
        holders.setTime(NOW + HOUR - 1n);
        const early = revokeCredential({ wallet, revokedAt: NOW + 1n, passes: [first!, other!, first!] });
        const outcome = await holders.confirm(early);
        expect(eventsOf(outcome).filter(({ event }) => event === 'passClosed')).toHaveLength(2);
        holders.setTime(later);
        await holders.confirm(revoking([first!, first!, other!, other!]));
        expect((await passes()).map((pass) => holders.account(pass))).toEqual([null, null]);
      });

      it('but not a pass that the present credential supports', async () => {
        const [first, other] = await passes();
        await holders.confirm(issueCredential({ ...byAnother, issuedAt: later, commitment: salted }));
        const attributes = { ...ATTRIBUTES, salt: 7n };
        const proving = prove({ wallet, verifier: 'second verifier', attributes, expiresAt: later + DAY });
        await holders.confirm(proving);

        await holders.confirm(revoking([first!]));
        await holders.confirm(revoking([first!, other!]));
        await holders.reject('CREDENTIAL_NOT_NEWER', revoking([first!, other!]));

        expect([first!, other!].map((pass) => holders.account(pass) !== null)).toEqual([true, false]);
        await holders.confirm(transfer());
      });

      it('but not a pass of the same verifier’s later credential, when an old signature is sent again', async () => {
        const old = { wallet, revokedAt: later - 1n, passes: await passes() };
        await holders.confirm(issueCredential({ wallet, issuedAt: later }));
        await holders.reject('CREDENTIAL_NOT_NEWER', revokeCredential(old));
        await holders.confirm(transfer());
      });

      it('and is rejected for its own reason when it ends nothing', async () => {
        await holders.confirm(discardCredential({ wallet, passes: await passes() }));
        const nothing = revokeCredential({ wallet, revokedAt: later - 1n, passes: await passes() });
        await holders.reject('CREDENTIAL_NOT_NEWER', nothing);
      });
    });

    it('must be passes of the wallet, and writable', async () => {
      const [pass] = await passes();
      const [signature, alone] = await revoking([pass!]);
      const last = alone!.accounts!.length - 1;
      const others: [ErrorName, Address][] = [
        ['WRONG_ADDRESS', await passAt('holder')],
        ['WRONG_ACCOUNT_TYPE', RULE],
        ['WRONG_OWNER', await tokens(wallet)],
      ];
      for (const [error, address] of others) {
        await holders.reject(error, signature!, withAccount(alone!, last, { address }));
        await holders.reject(error, revoking([pass!, address]));
      }
      const readOnly = withAccount(alone!, last, { role: AccountRole.READONLY });
      await holders.reject('NOT_WRITABLE', signature!, readOnly);
      await holders.confirm(signature!, alone!);
    });

    it('are at most 20', async () => {
      const [pass] = await passes();
      await holders.reject('WRONG_ACCOUNT_COUNT', revoking(Array<Address>(21).fill(pass!)));
      await holders.confirm(revoking(Array<Address>(20).fill(pass!)));
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
