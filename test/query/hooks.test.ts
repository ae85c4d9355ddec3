/** The hooks under StrictMode, in a real DOM, with the service in memory. */
import { artifactsDirectory, readArtifacts } from '@service/circuit';
import { artifactsFrom, disposeProver, tokenAccountOf, type Witness } from '@service/sdk';
import { createWitnessStore, passQueryOptions, serviceQueryKeys } from '@service/sdk/query';
import {
  type Prove,
  type Session,
  useGrant,
  useNetwork,
  useOperation,
  usePassport,
  useProofCheck,
  useProve,
  useRuleSets,
  useSession,
  useSnapshot,
  useSuspend,
  useTransfer,
  useTransferCheck,
  useWitness,
} from '@service/sdk/react';
import { testCredential, testWallet } from '@service/testing';
import { type Address, type KeyPairSigner, signBytes } from '@solana/kit';
import { useQuery } from '@tanstack/react-query';
import { createElement as element, useState } from 'react';
import { renderToString } from 'react-dom/server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Dapp, dapp, holdings, rules } from './support/dapp.ts';
import { htmlOf, type Rendered, render, settled } from './support/render.ts';

// Before React loads, which looks for a window.

const artifacts = artifactsFrom({ digest: (await readArtifacts()).digest, files: artifactsDirectory });
const { address: mint } = await testWallet('mint');
/** Base units that each token account has at first. */
const TOKENS = 5n;
let page: Dapp;
let witness: Witness;
let rendered: Rendered | undefined;
const complaints: string[] = [];

beforeAll(() => {
  vi.spyOn(console, 'error').mockImplementation((...all) => void complaints.push(all.join(' ')));
});
afterAll(disposeProver);
beforeEach(async () => {
  page = await dapp({ artifacts, ...(await holdings(mint, TOKENS)) });
  witness = (await testCredential(page.holder.address)).witness;
});
afterEach(async () => {
  await rendered?.unmount();
  rendered = undefined;
  history.replaceState(null, '', '/verified');
  expect(complaints.splice(0)).toEqual([]);
});

const signIn = (wallet = page.holder) => page.client.authenticate(wallet, page.client.deployment.genesisHash);

/** Acts as a person does, and lets React render. */
async function act(run: () => unknown): Promise<void> {
  await run();
  await settled();
}

/** The address to which the verifier sends the person back. */
function returnWith(text: string): void {
  history.replaceState(null, '', `/verified#witness=${Buffer.from(text).toString('base64url')}`);
}

/** A wallet that counts its prompts. */
function counting({ address, keyPair }: KeyPairSigner) {
  const sign = (bytes: Uint8Array) => signBytes(keyPair.privateKey, bytes);
  return {
    address,
    signMessage: vi.fn(async (message: Uint8Array): Promise<Uint8Array> => sign(message)),
    signTransaction: vi.fn(async (wire: Uint8Array) => {
      const message = wire.subarray(65);
      return Uint8Array.from([1, ...(await sign(message)), ...message]);
    }),
  };
}

describe('useWitness', () => {
  const Page = ({ wallet, storage }: { wallet?: Address; storage?: Storage }) => {
    const { witness, isOfOtherWallet, error, forget } = useWitness(
      wallet,
      storage ? { storage: () => storage } : {},
    );
    const state = witness ? `witness ${witness.salt}` : isOfOtherWallet ? 'of another' : 'none';
    return element('button', { type: 'button', onClick: forget }, error ? error.code : state);
  };
  const pageOf = (wallet?: Address, storage?: Storage) => () => element(Page, { wallet, storage } as never);

  it('takes the witness once, clears the address, and shows it to its wallet only', async () => {
    returnWith(JSON.stringify(witness));
    const replaced = vi.spyOn(history, 'replaceState');
    rendered = await render(page.client, pageOf(page.holder.address));
    await rendered.shows(`witness ${witness.salt}`);
    expect(location.hash).toBe('');
    expect(replaced).toHaveBeenCalledOnce();
    await rendered.unmount();
    replaced.mockRestore();
    // It was in memory only.
    rendered = await render(page.client, pageOf(page.holder.address));
    await rendered.shows('none');
  });

  it('returns what the page took before React, if the provider has that store', async () => {
    returnWith(JSON.stringify(witness));
    const witnesses = createWitnessStore();
    witnesses.take();
    rendered = await render(page.client, pageOf(page.holder.address), { witnesses });
    await rendered.shows(`witness ${witness.salt}`);
  });

  it('holds the witness until its wallet is chosen', async () => {
    returnWith(JSON.stringify(witness));
    rendered = await render(page.client, () => element(Page, { wallet: useSnapshot().wallet } as never));
    await rendered.shows('none');
    expect(location.hash).toBe('');
    await act(() => signIn(page.other));
    await rendered.shows('of another');
    await act(() => signIn(page.holder));
    await rendered.shows(`witness ${witness.salt}`);
  });

  it('keeps it over a reload in the storage of the caller, until it is forgotten', async () => {
    const storage = (window as unknown as { sessionStorage: Storage }).sessionStorage;
    returnWith(JSON.stringify(witness));
    rendered = await render(page.client, pageOf(page.holder.address, storage));
    await rendered.shows(`witness ${witness.salt}`);
    await rendered.unmount();
    rendered = await render(page.client, pageOf(page.other.address, storage));
    await rendered.shows('none');
    await rendered.unmount();
    rendered = await render(page.client, pageOf(page.holder.address, storage));
    await rendered.shows(`witness ${witness.salt}`);
    await act(async () => (document.querySelector('button') as HTMLElement).click());
    await rendered.shows('none');
    expect(storage.length).toBe(0);
    storage.setItem(`service:witness:${page.holder.address}`, '{}');
    await rendered.unmount();
    rendered = await render(page.client, pageOf(page.holder.address, storage));
    await rendered.shows('none');
    expect(storage.length).toBe(0);
  });

  it('holds it in memory if the storage is full, or the page may not use any', async () => {
    const fail = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    const full = { getItem: () => null, setItem: fail, removeItem: fail } as never;
    for (const open of [() => full, fail]) {
      const BlockedPage = () => {
        const { witness: held } = useWitness(page.holder.address, { storage: open });
        return element('p', null, held ? 'held' : 'none');
      };
      returnWith(JSON.stringify(witness));
      rendered = await render(page.client, () => element(BlockedPage));
      await rendered.shows('held');
      await rendered.unmount();
    }
    const witnesses = createWitnessStore();
    returnWith(JSON.stringify(witness));
    witnesses.take();
    const forget = () => witnesses.forget(page.holder.address, full);
    expect(forget).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', context: { field: 'storage' } }),
    );
    expect(witnesses.of(page.holder.address)).toBeNull();
    rendered = await render(page.client, pageOf(page.holder.address));
  });

  describe('with a forged link', () => {
    let forged: Witness;
    let storage: Storage;
    beforeEach(() => {
      forged = { ...witness, salt: `${BigInt(witness.salt) + 1n}` };
      storage = (window as unknown as { sessionStorage: Storage }).sessionStorage;
    });
    afterEach(() => storage.clear());
    const comesBackWith = async (brought: Witness) => {
      returnWith(JSON.stringify(brought));
      rendered = await render(page.client, pageOf(page.holder.address, storage));
      await rendered.shows(`witness ${brought.salt}`);
      await rendered.unmount();
    };

    it('keeps the stored witness too, and returns it when the chain shows which one fits', async () => {
      await signIn();
      const { rule } = await page.client.createRuleSet(page.holder, rules);
      for (const brought of [witness, forged]) await comesBackWith(brought);
      const shown: string[] = [];
      rendered = await render(page.client, () => {
        const { witness: taken } = useWitness(page.holder.address, { storage: () => storage });
        const { data } = useProofCheck({ rule, witness: taken });
        const reasons = data?.ok === false ? data.reasons.map(({ code }) => code) : [];
        shown.push(`${taken?.salt}`);
        return element('p', null, `${taken?.salt} ${data?.ok} ${reasons}`);
      });
      await rendered.shows(`${witness.salt} true`);
      expect(shown).toContain(forged.salt);
      // A reload loses neither: the credential of the other one could be on its way.
      expect(JSON.parse(storage.getItem(`service:witness:${page.holder.address}`)!)).toHaveLength(2);
    });

    it('returns the newest witness if none fits, and checks each one once', async () => {
      await signIn();
      const { rule } = await page.client.createRuleSet(page.holder, rules);
      const other = { ...witness, salt: `${BigInt(witness.salt) + 2n}` };
      for (const brought of [other, forged]) await comesBackWith(brought);
      const shown: string[] = [];
      rendered = await render(page.client, () => {
        const { witness: taken } = useWitness(page.holder.address, { storage: () => storage });
        const { data } = useProofCheck({ rule, witness: taken });
        if (taken && taken.salt !== shown.at(-1)) shown.push(taken.salt);
        return element('p', null, `${data?.ok === false && shown.length > 2 ? 'none fits' : ''}`);
      });
      await rendered.shows('none fits');
      expect(shown).toEqual([forged, other, forged].map(({ salt }) => salt));
    });

    it('returns the stored witness after a proof that reports it', async () => {
      await signIn();
      const { rule } = await page.client.createRuleSet(page.holder, rules);
      for (const brought of [witness, forged]) await comesBackWith(brought);
      let proving: Prove;
      rendered = await render(page.client, () => {
        const { witness: taken } = useWitness(page.holder.address, { storage: () => storage });
        proving = useProve(page.holder);
        return element('p', null, `${taken?.salt} ${proving.error?.code}`);
      });
      await rendered.shows(forged.salt);
      await act(() => proving.prove({ rule, witness: forged }).catch(() => undefined));
      await rendered.shows(`${witness.salt} WITNESS_INVALID`);
    });
  });

  it('holds the witnesses of two wallets at once', async () => {
    const ofOther = (await testCredential(page.other.address)).witness;
    const witnesses = createWitnessStore();
    for (const each of [witness, ofOther]) {
      returnWith(JSON.stringify(each));
      witnesses.take();
    }
    expect(witnesses.of(page.holder.address)).toEqual(witness);
    expect(witnesses.of(page.other.address)).toEqual(ofOther);
    witnesses.forget(page.other.address);
    expect(witnesses.of(page.holder.address)).toEqual(witness);
    expect(witnesses.of(page.other.address)).toBeNull();
  });

  it('reads a stored witness among other entries that cannot be used', () => {
    const stored = [null, {}, 'text', witness, { ...witness, wallet: page.other.address }];
    const storage = (window as unknown as { sessionStorage: Storage }).sessionStorage;
    const key = `service:witness:${page.holder.address}`;
    storage.setItem(key, JSON.stringify(stored));
    const witnesses = createWitnessStore();
    witnesses.keep(page.holder.address, storage);
    expect(witnesses.getSnapshot().witnesses).toEqual([witness]);
    expect(JSON.parse(storage.getItem(key)!)).toEqual([witness]);
    storage.clear();
  });

  it('forgets the content of a witness everywhere', () => {
    const witnesses = createWitnessStore();
    returnWith(JSON.stringify(witness));
    witnesses.take();
    const { proofCheck } = serviceQueryKeys(page.client);
    const key = () => proofCheck(page.holder.address, { witness });
    const before = key();
    expect(key()).toEqual(before);
    witnesses.forget(page.holder.address);
    // Only a forgotten witness gets another number.
    expect(key()).not.toEqual(before);
  });

  it('names a broken link, and clears the address', async () => {
    returnWith('{}');
    rendered = await render(page.client, pageOf(page.holder.address));
    await rendered.shows('WITNESS_INVALID');
    expect(location.hash).toBe('');
  });
});

describe('on a server', () => {
  const Page = () => {
    const { status, wallet } = useSession();
    const { data } = usePassport();
    const { witness } = useWitness(wallet);
    const { progress } = useProve(null);
    const rules = useRuleSets();
    const { underWay } = useOperation('7f9c24e8-0000-4000-8000-000000000000', { wallet: page.other.address });
    const parts = [status, data?.wallet, witness && 'witness', progress?.step, rules.status, underWay?.state];
    return element('p', null, parts.filter(Boolean).join(', '));
  };

  it('renders without a request, and hydrates what it rendered, signed in and with a witness', async () => {
    await signIn();
    page.requested.length = 0;
    const html = htmlOf(page.client, Page);
    expect(html).toBe('<p>loading, pending</p>');
    expect(page.requested).toEqual([]);
    returnWith(JSON.stringify(witness));
    rendered = await render(page.client, Page, { html });
    await rendered.shows(`signedIn, ${page.holder.address}, witness, success`);
    expect(rendered.recovered).toEqual([]);
  });
});

describe('the session', () => {
  let session: Session;
  /** The wallet of the session and of the passport, in each render that has a passport. */
  const passports: [Address | null, Address][] = [];
  const Page = () => {
    session = useSession(page.holder);
    const { data, error } = usePassport({ staleTime: 0 });
    if (data) passports.push([session.wallet, data.wallet]);
    return element('p', null, `${session.status} ${data?.wallet ?? 'nothing'} ${error?.code ?? ''}`);
  };

  it('signs in and out, and shows nothing of the person afterwards', async () => {
    rendered = await render(page.client, Page);
    await rendered.shows('signedOut nothing');
    await act(async () => session.authenticate.mutate());
    await rendered.shows(`signedIn ${page.holder.address}`);
    await act(async () => session.logout.mutate());
    await rendered.shows('signedOut nothing');
    const { cache } = rendered;
    const keys = serviceQueryKeys(page.client);
    expect(cache.getQueryData(keys.passport(page.holder.address))).toBeUndefined();
    expect(cache.getQueryData(keys.session)).toBeNull();
  });

  it.each(['another tab', 'expiry'])(
    'ends by %s: no render shows the former passport with another session',
    async (how) => {
      await signIn();
      rendered = await render(page.client, Page);
      await rendered.shows(`signedIn ${page.holder.address}`);
      const { genesisHash } = page.client.deployment;
      const tab = page.otherPage();
      await (how === 'expiry' ? tab.logout() : tab.authenticate(page.other, genesisHash));
      const keys = serviceQueryKeys(page.client);
      await act(() => rendered!.cache.refetchQueries({ queryKey: keys.passport(page.holder.address) }));
      await rendered.shows(how === 'expiry' ? 'signedOut nothing' : `otherWallet ${page.other.address}`);
      expect(passports.splice(0).filter(([signedIn, shown]) => signedIn !== shown)).toEqual([]);
    },
  );
});

describe('reads', () => {
  it('are shared by two components, end with the last one, and need no wallet to list rule sets', async () => {
    let given: AbortSignal | undefined;
    page.instead = (request) => {
      if (!request.url.includes('/api/network')) return undefined;
      given = request.signal;
      return new Promise<Response>((_, reject) => {
        request.signal.addEventListener('abort', () => reject(request.signal.reason));
      });
    };
    const Network = () => element('p', null, useNetwork().status);
    rendered = await render(page.client, () => element('div', null, element(Network), element(Network)));
    await rendered.shows('pendingpending');
    await vi.waitFor(() => expect(given).toBeDefined());
    // StrictMode mounts twice, and the first fetch ends with the first mount.
    const before = page.requested.filter((path) => path === '/api/network').length;
    expect(before).toBeLessThanOrEqual(2);
    expect(given?.aborted).toBe(false);
    await rendered.unmount();
    await vi.waitFor(() => expect(given?.aborted).toBe(true));
  });

  it('say before a transfer why it fails, then that it would succeed, and send it once', async () => {
    const { client, holder, other } = page;
    await signIn();
    const { rule } = await client.createRuleSet(holder, rules);
    await client.bindMint(holder, { mint, rule, requireSource: false });
    await signIn(other);
    await client.prove(other, { rule, witness: (await testCredential(other.address)).witness });
    await signIn();
    const [source, destination] = await Promise.all(
      [holder, other].map(({ address: owner }) => tokenAccountOf({ mint, owner })),
    );
    let transfer: ReturnType<typeof useTransfer>;
    let setAmount: (amount: bigint) => void = () => {};
    const wallet = counting(holder);
    rendered = await render(client, () => {
      const [amount, set] = useState(TOKENS + 1n);
      setAmount = set;
      const request = { mint, source: source!, destination: destination!, amount };
      const check = useTransferCheck(request);
      transfer = useTransfer(wallet);
      const reasons = check.data?.ok === false ? check.data.reasons.map(({ code }) => code) : [];
      return element('p', null, `${amount} ${check.data?.ok} ${transfer.status} ${reasons.join()}`);
    });
    const request = (amount: bigint) => ({ mint, source: source!, destination: destination!, amount });
    const writes = () => page.requested.filter((path) => /transfers|submit/.test(path));
    await rendered.shows(`${TOKENS + 1n} false idle BALANCE_TOO_LOW`);
    page.requested.length = 0;
    await act(async () => transfer.mutate(request(TOKENS + 1n)));
    await rendered.shows('error');
    expect(writes().length).toBeGreaterThan(0);
    expect(new Set(writes()).size).toBe(writes().length);

    await act(async () => setAmount(TOKENS));
    await rendered.shows(`${TOKENS} true`);
    page.requested.length = 0;
    const before = wallet.signTransaction.mock.calls.length;
    await act(async () => transfer.mutate(request(TOKENS)));
    await rendered.shows('success');
    expect(wallet.signTransaction).toHaveBeenCalledTimes(before + 1);
    expect(writes().length).toBe(2);
    expect(page.amountOf(destination!)).toBe(2n * TOKENS);
    // The check is stale after the transfer, and was fetched again.
    await rendered.shows(`${TOKENS} false success BALANCE_TOO_LOW`);
  });
});

it('useGrant and useSuspend change the pass of a holder, which is fetched again', async () => {
  const { client, holder, other } = page;
  await signIn();
  const { rule } = await client.createRuleSet(holder, { ...rules, powers: ['suspend', 'grant'] });
  const asked = { rule, holder: other.address };
  let grant!: ReturnType<typeof useGrant>;
  let suspend!: ReturnType<typeof useSuspend>;
  rendered = await render(client, () => {
    [grant, suspend] = [useGrant(holder), useSuspend(holder)];
    const pass = useQuery(passQueryOptions(client, { wallet: other.address, rule }));
    const state = pass.data?.suspendedUntil ? 'suspended' : pass.data?.granted ? 'granted' : pass.data;
    return element('p', null, `${state} ${grant.status} ${suspend.status}`);
  });
  await rendered.shows('null idle idle');
  const { chainTime } = await client.network();
  await act(async () => grant.mutate({ ...asked, expiresAt: chainTime + 3_600n }));
  await rendered.shows('granted success idle');
  await act(async () => suspend.mutate({ ...asked, until: chainTime + 600n }));
  await rendered.shows('suspended success success');
});

it('useOperation fetches again what its operation makes stale, which no mutation of this page does', async () => {
  await signIn();
  let follow: (operationId: string) => void = () => {};
  rendered = await render(page.client, () => {
    const [operationId, setOperationId] = useState<string | null>(null);
    follow = setOperationId;
    const { data } = usePassport({ staleTime: Number.POSITIVE_INFINITY });
    const { data: ended } = useOperation(operationId, { wallet: page.holder.address });
    const own = data?.ruleSets.filter(({ creator }) => creator === page.holder.address);
    return element('p', null, `${own?.length} rule sets, ${ended?.state}`);
  });
  await rendered.shows('0 rule sets');
  const { operationId } = await page.client.createRuleSet(page.holder, rules);
  await act(async () => follow(operationId));
  await rendered.shows('1 rule sets, FINALIZED');
});

describe('useProve', () => {
  let held: Prove;
  let rule: Address;
  const pageOf = (wallet: ReturnType<typeof counting>) => () => {
    held = useProve(wallet);
    const { data } = useProofCheck({ rule, witness });
    const { progress, isPending, error } = held;
    const check = data ? (data.ok ? 'can prove' : data.reasons[0]!.code) : '';
    return element('p', null, `${isPending} ${progress?.step} ${error?.code} ${check} ${held.data?.pass}`);
  };
  beforeEach(async () => {
    await signIn();
    ({ rule } = await page.client.createRuleSet(page.holder, rules));
    page.requested.length = 0;
  });
  const proofs = () => page.requested.filter((path) => path === '/api/proofs').length;

  it('names the wallet to replace', async () => {
    rendered = await render(page.client, pageOf(counting(page.holder)));
    await rendered.shows('can prove');
    const replaces = page.other.address;
    await act(() => held.prove({ rule, witness, replaces }).catch(() => undefined));
    await rendered.shows('PLACE_NOT_IN_RULE_SET');
    expect(proofs()).toBe(0);
  });

  it('proves and asks the wallet once, although the page is mounted and clicked twice', async () => {
    const wallet = counting(page.holder);
    rendered = await render(page.client, pageOf(wallet));
    await rendered.shows('can prove');
    await act(async () => {
      const first = held.prove({ rule, witness });
      expect(held.prove({ rule, witness })).toBe(first);
      for (const other of [{ rule: mint }, { rule, replaces: page.other.address }])
        await expect(held.prove({ ...other, witness })).rejects.toMatchObject({
          code: 'SIGNED_OPERATION_PENDING',
        });
      await rendered!.shows('SIGNED_OPERATION_PENDING');
    });
    await rendered.shows('false done');
    expect(wallet.signTransaction).toHaveBeenCalledOnce();
    expect(proofs()).toBe(1);
    // The check is stale after the proof, and was fetched again.
    await rendered.shows('PASS_RENEWAL_TOO_EARLY');
    // Nothing that devtools and persisters see has the witness.
    const { cache } = rendered;
    const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
    const stored = JSON.stringify(
      [
        cache
          .getQueryCache()
          .getAll()
          .map(({ queryKey, state }) => [queryKey, state]),
        cache
          .getMutationCache()
          .getAll()
          .map(({ state, options }) => [state, options.mutationKey]),
      ],
      plain,
    );
    expect(stored).not.toContain(witness.salt);
    expect(stored).toContain(rule);
  });

  it('does not give a wallet the proof that another one has signed', async () => {
    const wallet = counting(page.holder);
    const other = counting(page.other);
    let choose: (next: typeof wallet) => void = () => {};
    rendered = await render(page.client, () => {
      const [chosen, setChosen] = useState(wallet);
      choose = setChosen;
      return element('div', null, chosen.address, pageOf(chosen)());
    });
    await rendered.shows('can prove');
    let goOn: () => void = () => {};
    const isHeld = new Promise<undefined>((resolve) => (goOn = () => resolve(undefined)));
    page.instead = ({ url }) => (url.includes('/submit') ? isHeld : undefined);
    let first: Promise<unknown> | undefined;
    await act(async () => {
      first = held.prove({ rule, witness });
    });
    const soon = { timeout: 60_000, interval: 5 };
    await vi.waitFor(() => expect(wallet.signTransaction).toHaveBeenCalledOnce(), soon);
    await rendered.shows('true finality');
    await act(async () => choose(other));
    await rendered.shows(`${other.address}false undefined`);
    await act(async () => {
      await expect(held.prove({ rule, witness })).rejects.toMatchObject({ code: 'WALLET_MISMATCH' });
    });
    goOn();
    await act(async () => first);
    expect(other.signTransaction).not.toHaveBeenCalled();
    expect(held.data).toBeUndefined();
    await rendered.shows('WALLET_MISMATCH');
  });

  it('starts a new proof after a cancel', async () => {
    const wallet = counting(page.holder);
    rendered = await render(page.client, pageOf(wallet));
    await rendered.shows('can prove');
    await act(async () => {
      const first = expect(held.prove({ rule, witness })).rejects.toMatchObject({ code: 'ABORTED' });
      held.cancel();
      const second = held.prove({ rule, witness });
      await first;
      await second;
    });
    await rendered.shows('false done');
    expect(wallet.signTransaction).toHaveBeenCalledOnce();
  });

  it.each(['cancel', 'unmount', 'another wallet'] as const)('signs nothing after %s', async (how) => {
    const wallet = counting(page.holder);
    let choose: (next: typeof wallet) => void = () => {};
    rendered = await render(page.client, () => {
      const [chosen, setChosen] = useState(wallet);
      choose = setChosen;
      return pageOf(chosen)();
    });
    await rendered.shows('can prove');
    let ended: Promise<unknown> | undefined;
    await act(async () => {
      ended = expect(held.prove({ rule, witness })).rejects.toMatchObject({ code: 'ABORTED' });
    });
    await rendered.shows('true');
    if (how === 'cancel') await act(async () => held.cancel());
    if (how === 'unmount') await rendered.unmount();
    if (how === 'another wallet') await act(async () => choose(counting(page.other)));
    await act(async () => ended);
    expect(wallet.signTransaction).not.toHaveBeenCalled();
    expect(proofs()).toBe(0);
  });
});

it('a hook without a provider names what is missing', () => {
  const Page = () => element('p', null, useSnapshot().wallet);
  expect(() => renderToString(element(Page))).toThrow('ServiceProvider');
});
