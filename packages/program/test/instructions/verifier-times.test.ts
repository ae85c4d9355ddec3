/** What a verifier signed earlier can never follow its later statement, and no verifier's time keeps out another verifier. */
import { voidUntil } from '@service/protocol';
import type { Instruction } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, NOW } from '../support/chain.ts';
import { chainPerTest } from '../support/chain-per-test.ts';
import {
  type CredentialChange,
  credentialOf,
  discardCredential,
  issueCredential,
  revokeCredential,
} from '../support/credentials.ts';
import { credentialAt, readyChain, setVerifier, verifierAt } from '../support/governance.ts';

const AHEAD = 300n;
const [A, B, C] = ['verifier', 'second verifier', 'third verifier'] as const;

const chain = chainPerTest(async () => {
  const ready = await readyChain();
  await ready.confirm(setVerifier({ verifier: C, name: 'Third Verifier' }));
  return ready;
});
beforeEach(() => chain.setTime(NOW + HOUR));

/** A credential of a verifier, in place of the present one; the wallet signs. */
async function issue(verifier: string, issuedAt = chain.time): Promise<Instruction[]> {
  const account = await credentialAt('holder');
  const held = chain.account(account) ? (await credentialOf(chain)).verifier : null;
  const change: CredentialChange = { verifier, issuedAt, byWallet: true };
  for (const name of [A, B, C]) if ((await verifierAt(name)) === held) change.previousVerifier = name;
  return issueCredential(change);
}
const revoke = (verifier: string, revokedAt = chain.time) => revokeCredential({ verifier, revokedAt });
const pass = (seconds: bigint) => chain.setTime(chain.time + seconds);

/** Sends what one hostile verifier can send every five minutes. Returns how many credentials of another one land. */
async function honestOf60(hostile: () => Promise<void>): Promise<number> {
  let landed = 0;
  for (let round = 0; round < 12; round += 1) {
    await hostile();
    const began = chain.time;
    for (const after of [1n, 60n, 120n, 240n, 299n]) {
      chain.setTime(began + after);
      landed += (await chain.send(issue(A))).refusal ? 0 : 1;
    }
    chain.setTime(began + AHEAD);
  }
  return landed;
}

describe('one verifier cannot keep a wallet from another one', () => {
  it('by revocations that are dated ahead, five minutes apart', async () => {
    const hostile = async () => void (await chain.confirm(revoke(B, chain.time + AHEAD)));
    expect(await honestOf60(hostile)).toBe(60);
  });

  it('by credentials that are dated ahead, if the wallet signs or discards them', async () => {
    const hostile = async () => {
      await chain.confirm(issue(B, chain.time + AHEAD));
      await chain.confirm(discardCredential());
    };
    expect(await honestOf60(hostile)).toBe(60);
  });

  it('by both, after an honest revocation', async () => {
    const hostile = async () => {
      await chain.confirm(revoke(A));
      await chain.confirm(revoke(B, chain.time + AHEAD));
    };
    expect(await honestOf60(hostile)).toBe(60);
  });
});

describe('what a verifier signed before its last statement does not land', () => {
  it.each([
    ['a revoked credential, after another verifier’s', () => revoke(A, NOW + HOUR)],
    ['an older credential, after another verifier’s', () => issue(A, NOW + HOUR)],
  ])('%s', async (_, statement) => {
    await chain.confirm(issue(A, NOW));
    await chain.confirm(statement());
    pass(1n);
    await chain.confirm(issue(B, NOW + 1n));
    for (const issuedAt of [NOW + 2n, NOW + HOUR - 1n, NOW + HOUR]) {
      await chain.reject('CREDENTIAL_NOT_NEWER', issue(A, issuedAt));
    }
    await chain.confirm(issue(A, NOW + HOUR + 1n));
  });

  it('a credential that was revoked while the wallet had a valid one of another verifier', async () => {
    await chain.confirm(issue(B, NOW));
    await chain.confirm(revoke(A, NOW + HOUR));
    expect((await credentialOf(chain)).revoked).toBe(false);
    await chain.reject('CREDENTIAL_NOT_NEWER', issue(A, NOW + HOUR));
    pass(1n);
    await chain.confirm(issue(A));
  });

  it('also when the times of three verifiers do not fit: the earliest of the others holds for all', async () => {
    await chain.confirm(issue(A, NOW));
    await chain.confirm(revoke(A, NOW + 100n));
    await chain.confirm(issue(B, NOW + 50n));
    await chain.confirm(issue(C, NOW + 60n));
    // B's time, 50, holds for every verifier now; those of A and C are kept.
    for (const [verifier, until] of [
      [A, 100n],
      [B, 50n],
      [C, 60n],
    ] as const) {
      expect(voidUntil(await credentialOf(chain), await verifierAt(verifier))).toBe(NOW + until);
      await chain.reject('CREDENTIAL_NOT_NEWER', issue(verifier, NOW + until));
    }
    await chain.confirm(issue(B, NOW + 51n));
    await chain.reject('CREDENTIAL_NOT_NEWER', issue(A, NOW + 100n));
    await chain.confirm(issue(A, NOW + 101n));
    await chain.reject('CREDENTIAL_NOT_NEWER', issue(C, NOW + 60n));
  });

  it('whoever signed it, after the wallet discarded', async () => {
    await chain.confirm(issue(A, NOW));
    await chain.confirm(discardCredential());
    for (const verifier of [A, B]) await chain.reject('CREDENTIAL_NOT_NEWER', issue(verifier));
    pass(1n);
    await chain.confirm(issue(B));
  });
});

describe('an account of version 1', () => {
  const VERSION = 1;
  const REST = 116;

  it('keeps out every verifier up to its time of issue, as it did before, and is then brought forward', async () => {
    await chain.confirm(issue(A, NOW));
    await chain.confirm(revoke(A, NOW + HOUR));
    const account = await credentialAt('holder');
    chain.patch(account, VERSION, [1]);
    chain.patch(account, REST, new Uint8Array(16));
    expect(voidUntil(await credentialOf(chain), await verifierAt(B))).toBe(NOW + HOUR);
    for (const verifier of [A, B]) await chain.reject('CREDENTIAL_NOT_NEWER', issue(verifier, NOW + HOUR));

    await chain.confirm(revoke(A, NOW + HOUR + AHEAD));

    expect(await credentialOf(chain)).toMatchObject({ version: 2, voidUntil: Number(NOW + HOUR) });
    await chain.confirm(issue(B, NOW + HOUR + 1n));
    expect((await credentialOf(chain)).expiresAt).toBeGreaterThan(NOW + DAY);
  });
});
