/** Where a person is sent, and which credential is believed. */
import { passportResponse, verificationSessionResponse } from '@service/contract';
import { credentialRecordOf, programAddresses, readAccount } from '@service/protocol';
import type { Credential, Passport } from '@service/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { expectRefusal } from '../support/expect-refusal.ts';
import { type HostileService, hostileService, ORIGIN } from '../support/hostile-service.ts';
import { type StillChain, stillChain } from '../support/still-chain.ts';

const VERIFIER = 'https://verifier.example';

let chain: StillChain;
let service: HostileService;
let credential: Credential;

beforeAll(async () => {
  chain = await stillChain();
  credential = await readCredential();
});
afterAll(() => chain?.stop());
beforeEach(() => {
  service = hostileService({ ...chain, deployment: { ...chain.deployment, verifierOrigins: [VERIFIER] } });
});

async function readCredential(): Promise<Credential> {
  const { program } = chain.deployment;
  const reader = { rpc: chain.net.rpc, program, commitment: 'finalized' } as const;
  const address = await programAddresses(program).credential(chain.wallet.address);
  return credentialRecordOf((await readAccount(reader, 'credential', address))!);
}

/** What the service says of the wallet's credential. */
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
  const sends = (url: string) =>
    service.instead.set('/api/verification-sessions', () =>
      Response.json(
        z.encode(verificationSessionResponse, {
          sessionId: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
          url,
          expiresAt: 1n,
        }),
      ),
    );
  const start = () => service.client.startVerification({ returnUrl: `${ORIGIN}/verified` });

  it('returns the page of a verifier that the deployment pins', async () => {
    sends(`${VERIFIER}/verify/abc?x=1`);
    expect(await start()).toMatchObject({ url: `${VERIFIER}/verify/abc?x=1` });
  });
});

describe('waitForCredential', () => {
  const wait = (options: object = {}) => service.client.waitForCredential({ timeoutMs: 600, ...options });

  it('resolves to the chain’s credential once the index has it', async () => {
    indexed(null);
    setTimeout(() => indexed(credential), 300);
    expect(await wait({ timeoutMs: 5_000 })).toEqual(credential);
  });

  it('does not take one that only the service knows, or an older one than asked for', async () => {
    indexed({ ...credential, commitment: '9'.repeat(64) });
    await expectRefusal(wait(), 'TIMEOUT');
    indexed(credential);
    await expectRefusal(wait({ issuedAfter: credential.issuedAt }), 'TIMEOUT');
  });

  it('ends when the service says that the verification failed, and not before', async () => {
    const verification = { sessionId: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff', expiresAt: 1n } as const;
    const options = { issuedAfter: credential.issuedAt };
    for (const state of ['STARTED', 'ISSUING', 'ISSUED'] as const) {
      indexed(credential, { ...verification, state });
      await expectRefusal(wait(options), 'TIMEOUT');
    }
    const failure = `No.\u202e${'x'.repeat(5_000)}`;
    indexed(credential, { ...verification, state: 'FAILED', failure });
    const error = await wait({ ...options, timeoutMs: 60_000 }).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: 'VERIFICATION_FAILED', retryable: false });
    expect(error.message).toMatch(/^The verification failed: No\./);
    expect(error.message.length).toBeLessThan(300);
    expect(error.message).not.toContain('\u202e');
    // A credential that is there is not given up for that.
    expect(await wait({ timeoutMs: 5_000 })).toEqual(credential);
  });

  it('ends when it is aborted', async () => {
    indexed(null);
    const controller = new AbortController();
    const waiting = wait({ signal: controller.signal, timeoutMs: 60_000 });
    setTimeout(() => controller.abort(), 50);
    await expectRefusal(waiting, 'ABORTED');
  });
});
