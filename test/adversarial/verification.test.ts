/** The page to which startVerification sends a person, and the credential that waitForCredential returns. */
import { passportResponse, verificationSessionResponse } from '@service/contract';
import { credentialRecordOf, programAddresses, readAccount } from '@service/protocol';
import type { Credential, Passport, Witness } from '@service/sdk';
import { errorOf } from '@service/test-support';
import { quickClock } from '@service/testing';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { expectRefusal } from '../support/expect-refusal.ts';
import { type HostileService, hostileService, ORIGIN } from '../support/hostile-service.ts';
import { OPERATION_ID as SESSION_ID, useStillChain } from '../support/still-chain.ts';

const VERIFIER = 'https://verifier.example';

const chain = useStillChain();
let service: HostileService;
/** What happens while the client pauses. */
let onPause: () => void;
let credential: Credential;

beforeAll(async () => {
  const address = await programAddresses(chain.deployment.program).credential(chain.wallet.address);
  credential = credentialRecordOf((await readAccount(chain.reader, 'credential', address))!);
});
beforeEach(() => {
  onPause = () => undefined;
  const deployment = { ...chain.deployment, verifierOrigins: [VERIFIER] };
  service = hostileService({ ...chain, deployment }, { clock: quickClock(async () => onPause()) });
});

/** Sets the credential that the service reports. */
function indexed(record: Credential | null, verification?: Passport['verification']): void {
  service.instead.set('/api/passport', () =>
    Response.json(
      z.encode(passportResponse, {
        wallet: chain.wallet.address,
        credential: record,
        verification,
        passes: [],
        ruleSets: [],
        bindings: [],
        index: { slot: 1n, time: 1n },
      }),
    ),
  );
}

describe('startVerification', () => {
  it('returns the page of a verifier that the deployment pins', async () => {
    const url = `${VERIFIER}/verify/abc?x=1`;
    const session = { sessionId: SESSION_ID, url, expiresAt: 1n };
    service.instead.set('/api/verification-sessions', () =>
      Response.json(z.encode(verificationSessionResponse, session)),
    );
    const returnUrl = `${ORIGIN}/verified`;
    expect(await service.client.startVerification({ returnUrl })).toMatchObject({ url });
  });
});

describe('waitForCredential', () => {
  const wait = (options: object = {}) => service.client.waitForCredential({ timeoutMs: 600, ...options });

  it('resolves to the chain’s credential once the index has it', async () => {
    indexed(null);
    onPause = () => indexed(credential);
    expect(await wait({ timeoutMs: 5_000 })).toEqual(credential);
  });

  it('ignores a credential that only the service knows, and one that is too old', async () => {
    indexed({ ...credential, commitment: '9'.repeat(64) });
    await expectRefusal(wait(), 'TIMEOUT');
    indexed(credential);
    await expectRefusal(wait({ issuedAfter: credential.issuedAt }), 'TIMEOUT');
  });

  it('says that the verifier reviews the person, if the service says so', async () => {
    const review = { sessionId: SESSION_ID, expiresAt: 1n, state: 'STARTED', pendingSince: 1n } as const;
    indexed(null, review);
    const message = expect.stringContaining('still reviews the person of');
    await expectRefusal(wait({ issuedAfter: credential.issuedAt }), 'TIMEOUT', { message });
    const { pendingSince: _, ...started } = review;
    indexed(null, started);
    await expectRefusal(wait({ issuedAfter: credential.issuedAt }), 'TIMEOUT', {
      message: expect.not.stringContaining('review'),
    });
  });

  it('rejects when the service reports that the verification failed, and not before', async () => {
    const verification = { sessionId: SESSION_ID, expiresAt: 1n } as const;
    const options = { issuedAfter: credential.issuedAt };
    for (const state of ['STARTED', 'ISSUING', 'ISSUED'] as const) {
      indexed(credential, { ...verification, state });
      await expectRefusal(wait(options), 'TIMEOUT');
    }
    const failure = `No.\u202e${'x'.repeat(5_000)}`;
    indexed(credential, { ...verification, state: 'FAILED', failure });
    const error = (await errorOf(wait({ ...options, timeoutMs: 60_000 }))) as Error;
    expect(error).toMatchObject({ code: 'VERIFICATION_FAILED', retryable: false });
    expect(error.message).toMatch(/^The verification failed: No\./);
    expect(error.message.length).toBeLessThan(300);
    expect(error.message).not.toContain('\u202e');
    // A credential on chain still counts.
    expect(await wait({ timeoutMs: 5_000 })).toEqual(credential);
  });

  it('rejects when it is aborted', async () => {
    indexed(null);
    const controller = new AbortController();
    onPause = () => controller.abort();
    await expectRefusal(wait({ signal: controller.signal, timeoutMs: 60_000 }), 'ABORTED');
  });
});

describe('waitForCredential with a witness', () => {
  const wait = (witness: Witness, options: object = {}) =>
    service.client.waitForCredential({ witness, timeoutMs: 5_000, ...options });
  const session = { sessionId: SESSION_ID, expiresAt: 1n } as const;
  const later = () => ({ ...chain.witness, salt: `${BigInt(chain.witness.salt) + 1n}` });

  it('returns the credential of the witness, also one that is older than another verification', async () => {
    indexed(credential, { ...session, state: 'STARTED' });
    expect(await wait(chain.witness)).toEqual(credential);
  });

  it('waits while the credential of the witness is on its way, whatever the wallet already has', async () => {
    for (const state of ['STARTED', 'ISSUING', 'ISSUED'] as const) {
      indexed(credential, { ...session, state });
      await expectRefusal(wait(later(), { timeoutMs: 600 }), 'TIMEOUT');
    }
  });

  it('rejects a witness of another wallet, and one that cannot be used, before it waits', async () => {
    indexed(credential);
    const other = { ...chain.witness, wallet: chain.rule };
    await expectRefusal(wait(other, { timeoutMs: 600_000 }), 'WALLET_MISMATCH');
    await expectRefusal(wait({ ...chain.witness, salt: '1' }, { timeoutMs: 600_000 }), 'WITNESS_INVALID');
  });
});
