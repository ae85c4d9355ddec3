/** Writes that the hooks get ready ahead of the click, under StrictMode, with the service in memory. */
import { artifactsDirectory, readArtifacts } from '@service/circuit';
import {
  artifactsFrom,
  disposeProver,
  type PlainWallet,
  type ServiceErrorCode,
  tokenAccountOf,
} from '@service/sdk';
import { type Prove, useCreateRuleSet, useProve, useTransfer, type Write } from '@service/sdk/react';
import { quickClock, testCredential, testWallet } from '@service/testing';
import { createElement as element, useEffect, useState } from 'react';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { countingWallet, signal } from '../support/counting-wallet.ts';
import { type Dapp, dapp, holdings, rules } from './support/dapp.ts';
import { type Rendered, render, settled } from './support/render.ts';

// Before React loads, which looks for a window.

const artifacts = artifactsFrom({ digest: (await readArtifacts()).digest, files: artifactsDirectory });
const { address: mint } = await testWallet('mint');
const READY_MS = 30_000;
let clock: ReturnType<typeof quickClock>;
let page: Dapp;
let wallet: ReturnType<typeof countingWallet>;
let rendered: Rendered | undefined;
/** Chooses the wallet of the page. */
let choose: (wallet: PlainWallet | null) => void;

afterAll(disposeProver);
beforeEach(async () => {
  clock = quickClock();
  const served = await dapp({ artifacts, ...(await holdings(mint, 5n)) });
  page = Object.assign(served, { client: served.otherPage({ clock }) });
  wallet = countingWallet(page.holder);
  await signIn();
  page.requested.length = 0;
});
afterEach(async () => {
  await rendered?.unmount();
  rendered = undefined;
});

const signIn = (signer = page.holder) => page.client.authenticate(signer, page.client.deployment.genesisHash);

/** Acts as a person does, and lets React render. */
async function act(run: () => unknown): Promise<void> {
  await run();
  await settled();
}

/** Counts the operations of a kind that the page has prepared. */
const prepared = (path: string) => page.requested.filter((each) => each === `/api/${path}`).length;

/** Renders a page that shows the state of a hook, and waits for its effects, which React runs before any event. */
async function open(use: (wallet: PlainWallet | null) => string, client = page.client): Promise<void> {
  const mounted = signal();
  let mounts = 0;
  rendered = await render(client, () => {
    const [chosen, set] = useState<PlainWallet | null>(wallet);
    choose = set;
    const shown = use(chosen);
    // After those of the hook. StrictMode mounts twice.
    useEffect(() => {
      mounts += 1;
      if (mounts === 2) mounted.send();
    }, []);
    return element('p', null, shown);
  });
  await mounted.sent;
}

/** Clicks, and expects that the wallet is asked in the same task, before any request. */
async function asksInTheTaskOf(click: () => void): Promise<void> {
  expect(wallet.asked).toBe(0);
  page.requested.length = 0;
  click();
  // Microtasks only: they all run before the next task.
  await new Promise((resolve) => setImmediate(resolve));
  expect([wallet.asked, page.requested]).toEqual([1, []]);
}

/** Answers a request with an error of the service. */
const refuse = (code: ServiceErrorCode, status: number) =>
  Response.json({ error: { code, message: 'Refused.', requestId: 'r' } }, { status });

describe('a write', () => {
  let create: Write<{ readonly rule: string }, typeof rules>;
  const request = () => structuredClone(rules) as typeof rules;
  const other = { ...rules, name: 'Others' } as unknown as typeof rules;
  const show = (chosen: PlainWallet | null) => {
    create = useCreateRuleSet(chosen) as unknown as typeof create;
    return `${create.readiness} ${create.status} ${create.error?.code}`;
  };
  const ready = async () => {
    await act(async () => create.prepare(request()));
    await rendered!.shows('ready idle');
  };
  const nameOfLast = async () => {
    const sets = [];
    for await (const ruleSet of page.client.ruleSets()) sets.push(ruleSet);
    return sets.map(({ name }) => name).join();
  };

  it('asks the wallet in the task of the click, once it is ready, and is sent once', async () => {
    await open(show);
    await rendered!.shows('none idle');
    await act(async () => create.prepare(request()));
    await rendered!.shows('preparing idle');
    await rendered!.shows('ready idle');
    // A page may call it each time that it renders.
    await act(async () => create.prepare(request()));
    expect([prepared('rules'), wallet.asked]).toEqual([1, 0]);
    await asksInTheTaskOf(() => create.mutate(request()));
    await rendered!.shows('none success');
    expect([prepared('rules'), wallet.asked]).toEqual([0, 1]);
    expect(await nameOfLast()).toBe(rules.name);
  });

  it('stays ready when the page learns who is signed in', async () => {
    await open(show, page.otherPage());
    await act(async () => create.prepare(request()));
    await rendered!.shows('ready idle');
    expect(prepared('rules')).toBe(1);
  });

  it('goes on after a click that comes before it is ready', async () => {
    await open(show);
    await act(async () => {
      create.prepare(request());
      create.mutate(request());
    });
    await rendered!.shows('none success');
    expect([prepared('rules'), wallet.asked]).toEqual([1, 1]);
  });

  it('prepares nothing while it is under way, and prepares again afterwards', async () => {
    await open(show);
    await act(async () => {
      create.mutate(request());
      await settled();
      create.prepare(other);
    });
    await rendered!.shows('none success');
    expect(prepared('rules')).toBe(1);
    await act(async () => create.prepare(other));
    await rendered!.shows('ready success');
  });

  it('signs the request of the click, not another one that is ready', async () => {
    await open(show);
    await ready();
    await act(async () => create.mutate(other));
    await rendered!.shows('none success');
    expect([prepared('rules'), wallet.asked]).toEqual([2, 1]);
    expect(await nameOfLast()).toBe('Others');
  });

  it.each<[string, () => unknown]>([
    ['null', () => create.prepare(null)],
    ['another wallet', () => choose(page.other as never)],
    ['no wallet', () => choose(null)],
    ['a sign-out', () => page.client.logout()],
    ['the sign-in of another wallet', () => signIn(page.other)],
    [
      'another session of the browser',
      async () => {
        await page.otherPage().logout();
        await page.client.session();
      },
    ],
  ])('is discarded by %s', async (how, change) => {
    await open(show);
    await ready();
    await act(change);
    await rendered!.shows('none idle');
    page.requested.length = 0;
    await act(async () => create.mutate(request()));
    // Without a change of the wallet, a new operation is signed.
    const isSigned = how === 'null';
    await rendered!.shows(isSigned ? 'success' : 'error');
    expect(wallet.asked).toBe(isSigned ? 1 : 0);
    if (isSigned) expect(prepared('rules')).toBe(1);
  });

  it('is aborted by an unmount', async () => {
    let given: AbortSignal | undefined;
    page.instead = (asked) => {
      if (!asked.url.endsWith('/api/rules')) return undefined;
      given = asked.signal;
      return new Promise(() => undefined);
    };
    await open(show);
    await act(async () => create.prepare(request()));
    await vi.waitFor(() => expect(given).toBeDefined());
    await rendered!.unmount();
    expect(given?.aborted).toBe(true);
  });

  it('says when it is no longer ready, and can then be prepared again or signed', async () => {
    await open(show);
    await ready();
    await act(() => clock.pause(READY_MS, undefined));
    await rendered!.shows('expired idle');
    await ready();
    expect(prepared('rules')).toBe(2);
    await act(() => clock.pause(READY_MS, undefined));
    await rendered!.shows('expired idle');
    await act(async () => create.mutate(request()));
    await rendered!.shows('none success');
    expect([prepared('rules'), wallet.asked]).toEqual([3, 1]);
  });

  it('says that it failed, and why after the click', async () => {
    page.instead = ({ url, method }) =>
      method === 'POST' && url.endsWith('/api/rules') ? refuse('UNAVAILABLE', 503) : undefined;
    await open(show);
    await act(async () => create.prepare(request()));
    await rendered!.shows('failed idle undefined');
    await act(async () => create.prepare(request()));
    expect(prepared('rules')).toBe(1);
    await act(async () => create.mutate(request()));
    await rendered!.shows('none error UNAVAILABLE');
    page.instead = undefined;
    await act(async () => create.mutate(request()));
    await rendered!.shows('none success');
    expect(wallet.asked).toBe(1);
  });

  it('is discarded by another option of the hook, which it was not prepared with', async () => {
    let agree: (guards: boolean) => void;
    await open((chosen) => {
      const [guards, set] = useState(true);
      agree = set;
      create = useCreateRuleSet(chosen, { guards }) as unknown as typeof create;
      return `${create.readiness} ${create.status}`;
    });
    await ready();
    await act(async () => agree(false));
    await rendered!.shows('none idle');
    await act(async () => create.mutate(request()));
    await rendered!.shows('none success');
    expect([prepared('rules'), wallet.asked]).toEqual([2, 1]);
  });

  it('obeys the signal of the hook', async () => {
    const end = new AbortController();
    await open((chosen) => {
      create = useCreateRuleSet(chosen, { signal: end.signal }) as unknown as typeof create;
      return `${create.readiness} ${create.status}`;
    });
    await ready();
    await act(async () => end.abort());
    await rendered!.shows('failed idle');
  });
});

describe('a proof and a transfer', () => {
  let rule: string & Parameters<Prove['prove']>[0]['rule'];
  let proof: Prove;
  const show = (chosen: PlainWallet | null) => {
    proof = useProve(chosen);
    const { readiness, isPending, progress, error, data } = proof;
    return `${readiness} ${isPending} ${progress?.step} ${error?.code} ${data?.passExpiresAt}`;
  };
  const request = async () => ({ rule, witness: (await testCredential(page.holder.address)).witness });
  const ready = async () => {
    const asked = await request();
    await act(async () => proof.prepare(asked));
    await rendered!.shows('ready true wallet');
  };
  beforeEach(async () => {
    ({ rule } = await page.client.createRuleSet(page.holder, rules));
    page.requested.length = 0;
  });

  it('the proof asks the wallet in the task of the click, once it is ready', async () => {
    await open(show);
    const asked = await request();
    await act(async () => proof.prepare(asked));
    await rendered!.shows('preparing true');
    await rendered!.shows('ready true wallet undefined');
    await act(async () => proof.prepare({ ...asked }));
    expect(prepared('proofs')).toBe(1);
    let opened: ReturnType<Prove['prove']> | undefined;
    await asksInTheTaskOf(() => (opened = proof.prove({ ...asked })));
    await rendered!.shows('none false done');
    expect((await opened)?.passExpiresAt).toBe(proof.data?.passExpiresAt);
    expect([prepared('proofs'), wallet.asked]).toEqual([0, 1]);
  });

  it('the proof goes on after a click that comes before it is ready', async () => {
    await open(show);
    const asked = await request();
    await act(async () => {
      proof.prepare(asked);
      const opened = proof.prove(asked);
      // It is confirmed, so nothing replaces it.
      proof.prepare({ ...asked, expiresAt: 1n });
      proof.prepare(null);
      await opened;
    });
    await rendered!.shows('none false done');
    expect([prepared('proofs'), wallet.asked]).toEqual([1, 1]);
  });

  it.each<[string, () => unknown]>([
    ['null', () => proof.prepare(null)],
    ['a cancel', () => proof.cancel()],
    ['another wallet', () => choose(countingWallet(page.other))],
    ['a sign-out', () => page.client.logout()],
    ['an unmount', () => rendered!.unmount()],
  ])('the proof is discarded by %s, and never signed', async (how, change) => {
    await open(show);
    await ready();
    await act(change);
    if (how !== 'an unmount') await rendered!.shows('none false');
    expect(wallet.asked).toBe(0);
    if (how !== 'null') return;
    page.requested.length = 0;
    await act(async () => proof.prove(await request()));
    expect([prepared('proofs'), wallet.asked]).toEqual([1, 1]);
  });

  it('the proof is discarded by another option of the hook', async () => {
    let agree: (guards: boolean) => void;
    await open((chosen) => {
      const [guards, set] = useState(true);
      agree = set;
      proof = useProve(chosen, { guards });
      return `${proof.readiness} ${proof.isPending} ${proof.progress?.step}`;
    });
    await ready();
    await act(async () => agree(false));
    await rendered!.shows('none false');
    expect(wallet.asked).toBe(0);
  });

  it('a click with another expiry signs that one, not the one that is ready', async () => {
    await open(show);
    const asked = await request();
    const latest = await page.client.proofContext({ rule });
    const expiresAt = latest.chainTime + 3_600n;
    await ready();
    await act(() => proof.prove({ ...asked, expiresAt }));
    await rendered!.shows(`none false done undefined ${expiresAt}`);
    expect([prepared('proofs'), wallet.asked]).toEqual([2, 1]);
  });

  it('the proof says when it is no longer ready, and can be prepared again', async () => {
    await open(show);
    await ready();
    await act(() => clock.pause(READY_MS, undefined));
    await rendered!.shows('expired false wallet DRAFT_EXPIRED');
    await ready();
    expect(wallet.asked).toBe(0);
  });

  it('the proof says that it failed, and why', async () => {
    page.instead = ({ url }) => (url.endsWith('/api/proofs') ? refuse('UNAVAILABLE', 503) : undefined);
    await open(show);
    const asked = await request();
    await act(async () => proof.prepare(asked));
    await rendered!.shows('failed false verification UNAVAILABLE');
    const posted = prepared('proofs');
    await act(async () => proof.prepare(asked));
    await rendered!.shows('failed false verification UNAVAILABLE');
    expect(prepared('proofs')).toBe(posted);
    page.instead = undefined;
    await act(async () => proof.prepare(null));
    await rendered!.shows('none false verification UNAVAILABLE');
    await ready();
  });

  it('the transfer asks the wallet in the task of the click, once it is ready', async () => {
    const { client, holder, other } = page;
    await client.bindMint(holder, { mint, rule, requireSource: false });
    await signIn(other);
    await client.prove(other, { rule, witness: (await testCredential(other.address)).witness });
    await signIn();
    const [source, destination] = await Promise.all(
      [holder, other].map(({ address: owner }) => tokenAccountOf({ mint, owner })),
    );
    const asked = () => ({ mint, source: source!, destination: destination!, amount: 2n });
    let transfer!: ReturnType<typeof useTransfer>;
    await open((chosen) => {
      transfer = useTransfer(chosen);
      return `${transfer.readiness} ${transfer.status}`;
    });
    await act(async () => transfer.prepare(asked()));
    await rendered!.shows('ready idle');
    await asksInTheTaskOf(() => transfer.mutate(asked()));
    await rendered!.shows('none success');
    expect(page.amountOf(destination!)).toBe(7n);
  });
});
