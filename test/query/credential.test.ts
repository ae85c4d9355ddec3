/** The wait for the credential of a person who comes back from the verifier, with the service in memory. */
import { artifactsDirectory, readArtifacts } from '@service/circuit';
import type { VerificationState } from '@service/contract';
import { artifactsFrom, disposeProver, type Witness } from '@service/sdk';
import { createWitnessStore, credentialQueryOptions } from '@service/sdk/query';
import { useCredential, useProofCheck, useSession, useWitness } from '@service/sdk/react';
import { testCredential } from '@service/testing';
import type { Address } from '@solana/kit';
import { createElement as element } from 'react';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Dapp, dapp, rules } from './support/dapp.ts';
import { htmlOf, type Rendered, render } from './support/render.ts';

// Before React loads, which looks for a window.

const EARLIER = { commitment: 'ab'.repeat(32), issuedAt: '1700000000' };
let page: Dapp;
/** The time of the service and its chain, if it is not the machine's. */
let time: bigint | undefined;
let rule: Address;
let witness: Witness;
let rendered: Rendered | undefined;

const artifacts = artifactsFrom({ digest: (await readArtifacts()).digest, files: artifactsDirectory });

beforeEach(async () => {
  time = undefined;
  // The tests pass the time of waits themselves.
  page = await dapp({
    artifacts,
    pauses: 'real',
    now: () => time ?? BigInt(Math.floor(Date.now() / 1_000)),
  });
  await page.client.authenticate(page.holder, page.client.deployment.genesisHash);
  ({ rule } = await page.otherPage().createRuleSet(page.holder, rules));
  ({ witness } = await testCredential(page.holder.address));
});
afterAll(disposeProver);
afterEach(async () => {
  vi.useRealTimers();
  await rendered?.unmount();
  rendered = undefined;
  history.replaceState(null, '', '/verified');
});

/** The service in memory issues the credential at once, and knows no other state. */
function passportHas(state: VerificationState, credential?: object): void {
  const sessionId = crypto.randomUUID();
  const failure = state === 'FAILED' ? { failure: 'too young' } : {};
  page.instead = async (request) => {
    if (new URL(request.url).pathname !== '/api/passport') return undefined;
    const passport = await (await page.answer(request)).json();
    return Response.json({
      ...passport,
      ...(credential ? { credential: { ...passport.credential, ...credential } } : {}),
      verification: { sessionId, state, expiresAt: '9999999999', ...failure },
    });
  };
}

const issue = () =>
  page.client.startVerification({ returnUrl: `${page.client.deployment.baseUrl}/verified` });
/** A well-formed witness that does not fit the credential of the person. */
const forgedFrom = (of: Witness): Witness => ({ ...of, salt: `${BigInt(of.salt) + 1n}` });
/** Ends waits of some seconds: each step of the real time is half a second on the faked timers. */
const later = (check: () => void, stepMs = 500) =>
  vi.waitFor(
    async () => {
      await vi.advanceTimersByTimeAsync(stepMs);
      check();
    },
    { timeout: 60_000, interval: 1 },
  );
const query = (given: Partial<Parameters<typeof credentialQueryOptions>[1]> = {}) =>
  credentialQueryOptions(page.client, { wallet: page.holder.address, witness, ...given }).queryFn({});

describe('useCredential', () => {
  const Page = () => {
    const { wallet } = useSession();
    const { witness } = useWitness(wallet);
    const { data, error, isOnItsWay, isFetched } = useCredential(witness);
    const check = useProofCheck({ rule, witness }, { enabled: isFetched || isOnItsWay }).data;
    const state = isOnItsWay ? 'on its way' : (data?.address ?? error?.code ?? 'none');
    return element('p', null, `${state} ${check?.ok ? 'can prove' : check?.reasons[0]?.code}`);
  };
  const comeBack = (given = witness) => {
    const text = Buffer.from(JSON.stringify(given)).toString('base64url');
    history.replaceState(null, '', `/verified#witness=${text}`);
  };

  it('shows the wait, and fetches the check again when the credential is there', async () => {
    comeBack();
    passportHas('STARTED');
    rendered = await render(page.client, Page);
    await rendered.shows('on its way CREDENTIAL_REQUIRED');
    passportHas('ISSUING');
    await issue();
    const { credential } = await testCredential(page.holder.address);
    await rendered.shows(`${credential.address} can prove`);
  });

  it('goes back to another witness if no credential of the newest one comes', async () => {
    await issue();
    const witnesses = createWitnessStore();
    comeBack();
    witnesses.take();
    comeBack(forgedFrom(witness));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    // Without a check, which would reject the witness too.
    const { credential } = await testCredential(page.holder.address);
    const Plain = () => {
      const { wallet } = useSession();
      const { witness } = useWitness(wallet);
      return element('p', null, useCredential(witness).data?.address);
    };
    rendered = await render(page.client, Plain, { witnesses });
    await later(() => expect(rendered!.text()).toContain(credential.address));
    expect(witnesses.getSnapshot().witnesses).toEqual([witness, forgedFrom(witness)]);
  });

  it('does not go back to a rejected witness because the credential is late', async () => {
    passportHas('STARTED');
    const witnesses = createWitnessStore();
    for (const given of [witness, forgedFrom(witness)]) {
      comeBack(given);
      witnesses.take();
    }
    witnesses.reject(forgedFrom(witness));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    rendered = await render(page.client, Page, { witnesses });
    await later(() => expect(rendered!.text()).toContain('TIMEOUT'), 2_000);
    expect(witnesses.of(witness.wallet)).toEqual(witness);
  });

  it('does not wait for a person who came back without a witness', async () => {
    passportHas('STARTED');
    rendered = await render(page.client, Page);
    await rendered.shows('none CREDENTIAL_REQUIRED');
    expect(rendered.cache.isFetching()).toBe(0);
  });

  it('says that the verifier refused a person, who has no witness', async () => {
    passportHas('FAILED');
    rendered = await render(page.client, Page);
    await rendered.shows('VERIFICATION_FAILED CREDENTIAL_REQUIRED');
  });

  it('waits without a witness while the credential is issued, such as after a reload', async () => {
    passportHas('ISSUING');
    rendered = await render(page.client, Page);
    await rendered.shows('on its way CREDENTIAL_REQUIRED');
    await issue();
    await rendered.shows('can prove');
  });

  it('renders on a server without a request', () => {
    page.requested.length = 0;
    expect(htmlOf(page.client, Page)).toBe('<p>none undefined</p>');
    expect(page.requested).toEqual([]);
  });
});

describe('credentialQueryOptions', () => {
  it('returns the credential of the witness at once, and null if there is nothing to wait for', async () => {
    const onArrived = vi.fn();
    expect(await query({ witness: null, onArrived })).toBeNull();
    await issue();
    for (const given of [{ witness }, { witness: null }]) {
      expect(await query({ ...given, onArrived })).toMatchObject({ wallet: page.holder.address });
    }
    expect(onArrived).not.toHaveBeenCalled();
  });

  it('waits for the credential of the witness, not for the one of an earlier verification', async () => {
    await issue();
    passportHas('STARTED', EARLIER);
    page.requested.length = 0;
    const order: string[] = [];
    const onArrived = async () => void order.push('arrived');
    const waiting = query({ onArrived }).then((credential) => {
      order.push('data');
      return credential;
    });
    await vi.waitFor(() => expect(page.requested.length).toBeGreaterThan(2));
    expect(order).toEqual([]);
    page.instead = undefined;
    const { credential } = await testCredential(page.holder.address);
    expect(await waiting).toMatchObject({ issuedAt: credential.issuedAt, commitment: credential.commitment });
    expect(order).toEqual(['arrived', 'data']);
  });

  it('rejects a witness of an earlier credential once no verification is under way', async () => {
    await issue();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let code: string | undefined;
    query({ witness: forgedFrom(witness) }).catch((error) => (code = error.code));
    await later(() => expect(code).toBe('WITNESS_INVALID'));
  });

  it('throws at once if the verification failed, also without a witness', async () => {
    passportHas('FAILED');
    for (const given of [witness, null]) {
      await expect(query({ witness: given })).rejects.toMatchObject({ code: 'VERIFICATION_FAILED' });
    }
  });

  it('returns an earlier credential after a failed verification while it can be used', async () => {
    await issue();
    passportHas('FAILED');
    expect(await query({ witness: null })).toMatchObject({ wallet: page.holder.address });
    for (const unusable of [{ revoked: true }, { expiresAt: '1700000000' }]) {
      passportHas('FAILED', unusable);
      await expect(query({ witness: null })).rejects.toMatchObject({ code: 'VERIFICATION_FAILED' });
    }
  });

  it('ends a credential by the time of the chain, whatever the clock of the device says', async () => {
    await issue();
    const now = BigInt(Math.floor(Date.now() / 1_000));
    time = now;
    passportHas('FAILED', { expiresAt: `${now + 1n}` });
    vi.useFakeTimers({ toFake: ['Date'], now: (Number(now) + 3_600) * 1_000 });
    expect(await query({ witness: null })).toMatchObject({ wallet: page.holder.address });
    vi.setSystemTime((Number(now) - 3_600) * 1_000);
    passportHas('FAILED', { expiresAt: `${now}` });
    await expect(query({ witness: null })).rejects.toMatchObject({ code: 'VERIFICATION_FAILED' });
  });

  it('names the time that it waited if no credential is under way', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let error: Error | undefined;
    query().catch((thrown) => (error = thrown));
    await later(() => expect(error).toMatchObject({ code: 'TIMEOUT' }));
    expect(error!.message).toContain('After 10000 ms there is no credential');
  });

  it('waits for the whole two minutes while a verification is under way', async () => {
    await issue();
    passportHas('STARTED');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let error: Error | undefined;
    query({ witness: forgedFrom(witness) }).catch((thrown) => (error = thrown));
    await later(() => expect(error).toBeDefined(), 2_000);
    expect(error).toMatchObject({ code: 'TIMEOUT', message: expect.stringContaining('After 120000 ms') });
  });

  it('takes no notice of the witness of another wallet', async () => {
    await issue();
    const other = { ...witness, wallet: page.other.address };
    expect(await query({ witness: other })).toMatchObject({ wallet: page.holder.address });
  });
});

describe('client.prove with a witness', () => {
  it('waits for a credential that is on its way, and then opens the pass', async () => {
    await issue();
    passportHas('STARTED', EARLIER);
    page.requested.length = 0;
    const proving = page.client.prove(page.holder, { rule, witness });
    await vi.waitFor(() => expect(page.requested.filter((path) => path === '/api/passport').length).toBe(2));
    expect(page.requested).not.toContain('/api/proofs/context');
    page.instead = undefined;
    expect(await proving).toMatchObject({ kind: 'PROVE', state: 'FINALIZED' });
  });

  it('says at once that there is no credential if none is on its way', async () => {
    const proving = page.client.prove(page.holder, { rule, witness });
    await expect(proving).rejects.toMatchObject({ code: 'CREDENTIAL_REQUIRED' });
  });

  it('rejects a witness of an earlier credential once no verification is under way', async () => {
    await issue();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let code: string | undefined;
    page.client
      .prove(page.holder, { rule, witness: forgedFrom(witness) })
      .catch((error) => (code = error.code));
    await later(() => expect(code).toBe('WITNESS_INVALID'));
    expect(page.requested).not.toContain('/api/proofs');
  });
});
