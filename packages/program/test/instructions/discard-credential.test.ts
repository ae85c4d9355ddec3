import { describe, expect, it } from 'vitest';
import { DAY, NOW } from '../support/chain.ts';
import { chainPerTest } from '../support/chain-per-test.ts';
import {
  credentialOf,
  discardCredential,
  issueCredential,
  revokeCredential,
} from '../support/credentials.ts';
import { credentialAt, verifierAt } from '../support/governance.ts';
import { issueTokens, marketChain, transfer } from '../support/market.ts';
import { closePass, prove } from '../support/passes.ts';
import { passAt, RULE } from '../support/rule-sets.ts';
import { ONE } from '../support/token-instructions.ts';

const chain = chainPerTest(async () => {
  const ready = await marketChain();
  ready.setTime(later);
  return ready;
});
const later = NOW + DAY;
const wallet = 'other holder';

describe('discard-credential', () => {
  it('ends the credential and the passes that are passed along, with the signature of the wallet alone', async () => {
    const [credential, pass] = [await credentialAt(wallet), await passAt(wallet)];
    const before = await credentialOf(chain, wallet);

    const outcome = await chain.confirm(discardCredential({ wallet, passes: [pass] }));

    expect([...outcome.changed].sort()).toEqual([credential, pass].sort());
    const commitment = new Uint8Array(32);
    const discarded = { ...before, commitment, issuedAt: later, revoked: true, voidUntil: Number(later) };
    expect(await credentialOf(chain, wallet)).toEqual(discarded);
    await chain.reject('DESTINATION_PASS_MISSING', transfer());
    await chain.reject('CREDENTIAL_REVOKED', prove({ wallet, expiresAt: later + DAY }));
  });

  it('does not fail because of a pass that was closed, or is in the list twice', async () => {
    const pass = await passAt(wallet);
    await chain.confirm(discardCredential({ wallet, passes: [pass, pass] }));
    await chain.confirm(discardCredential({ wallet, passes: [pass] }));
    expect(chain.account(pass)).toBeNull();
  });

  it('rejects accounts that are not passes of the wallet', async () => {
    const pass = await passAt(wallet);
    const others = [
      ['WRONG_ADDRESS', await passAt('holder')],
      ['WRONG_ACCOUNT_TYPE', RULE],
      ['DUPLICATE_ACCOUNT', await credentialAt(wallet)],
    ] as const;
    for (const [error, other] of others)
      await chain.reject(error, discardCredential({ wallet, passes: [pass, other] }));
  });

  it('lets anyone close a pass that was not passed along', async () => {
    await chain.confirm(discardCredential({ wallet }));
    await chain.reject('CREDENTIAL_REVOKED', issueTokens({ mint: ONE, holder: wallet }));
    await chain.confirm(closePass({ holder: wallet }));
  });

  it('lets any verifier issue the next one', async () => {
    const next = { wallet, verifier: 'second verifier', previousVerifier: 'verifier', issuedAt: later + 1n };
    await chain.reject('CREDENTIAL_HELD', issueCredential(next));
    await chain.confirm(discardCredential({ wallet }));
    await chain.confirm(issueCredential(next));
    expect(await credentialOf(chain, wallet)).toMatchObject({
      verifier: await verifierAt('second verifier'),
      revoked: false,
    });
  });

  it('does not bring back what was signed or revoked before', async () => {
    await chain.confirm(issueCredential({ wallet, issuedAt: later - 10n }));
    await chain.confirm(revokeCredential({ wallet, revokedAt: later }));
    await chain.confirm(discardCredential({ wallet }));
    for (const issuedAt of [later - 10n, later - 9n, later]) {
      await chain.reject('CREDENTIAL_NOT_NEWER', issueCredential({ wallet, issuedAt }));
    }
  });

  it('keeps a time of issue that is ahead of the clock', async () => {
    await chain.confirm(issueCredential({ wallet, issuedAt: later + 300n }));
    await chain.confirm(discardCredential({ wallet }));
    expect((await credentialOf(chain, wallet)).issuedAt).toBe(later + 300n);
  });
});
