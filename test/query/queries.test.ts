/** The options of queries and mutations, with a real QueryClient and the service in memory. */
import { isServiceError, tokenAccountOf } from '@service/sdk';
import {
  authenticateMutationOptions,
  createRuleSetMutationOptions,
  credentialQueryOptions,
  grantMutationOptions,
  invalidateAfter,
  issueMutationOptions,
  keysStaleAfter,
  logoutMutationOptions,
  networkQueryOptions,
  operationQueryOptions,
  passportQueryOptions,
  passQueryOptions,
  proofCheckQueryOptions,
  receiptQueryOptions,
  recoverMutationOptions,
  redeemMutationOptions,
  ruleSetsQueryOptions,
  serviceQueryKeys,
  sessionQueryOptions,
  startVerificationMutationOptions,
  suspendMutationOptions,
  transferCheckQueryOptions,
  transferMutationOptions,
  watchSession,
} from '@service/sdk/query';
import { testCredential, testWallet } from '@service/testing';
import { hashKey, MutationObserver, QueryClient, QueryObserver } from '@tanstack/query-core';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Dapp, dapp, rules } from './support/dapp.ts';

const { address: mint } = await testWallet('mint');
let page: Dapp;
let cache: QueryClient;
beforeEach(async () => {
  const [issuer, holder] = await Promise.all(['holder', 'other'].map(testWallet));
  const account = async (owner: typeof mint, amount: bigint) => ({
    address: await tokenAccountOf({ mint, owner }),
    mint,
    owner,
    amount,
  });
  page = await dapp({
    credentials: [issuer!.address, holder!.address],
    mints: [{ mint, issuer: issuer!.address }],
    tokenAccounts: [await account(issuer!.address, 0n), await account(holder!.address, 0n)],
  });
  cache = new QueryClient({ defaultOptions: { queries: { retryDelay: 0 }, mutations: { retry: 3 } } });
});

const signIn = (wallet = page.holder) => mutate(authenticateMutationOptions(page.client, wallet));
const mutate = <D, V>(options: { mutationFn: (variables: V) => Promise<D> }, ...variables: V[]): Promise<D> =>
  new MutationObserver<D, Error, V>(cache, options as never).mutate(...(variables as [V]));
const offline = () => Promise.reject(new TypeError('fetch failed'));
const codeOf = (error: unknown) => (isServiceError(error) ? error.code : error);

describe('keys', () => {
  it('begin with the deployment, hold the wallet of everything personal, and hash', async () => {
    const { client, holder } = page;
    const { genesisHash, program } = client.deployment;
    const { witness } = await testCredential(holder.address);
    const wallet = holder.address;
    const amount = 5n;
    const personal = [
      passportQueryOptions(client, { wallet }),
      passQueryOptions(client, { rule: mint, wallet }),
      proofCheckQueryOptions(client, { rule: mint, witness, expiresAt: 7n }, { wallet }),
      transferCheckQueryOptions(client, { mint, source: mint, destination: mint, amount }, { wallet }),
      credentialQueryOptions(client, { wallet, witness }),
      operationQueryOptions(client, 'id', { wallet, preparedAt: 1n }),
      receiptQueryOptions(client, 'id', { wallet }),
    ];
    const open = [sessionQueryOptions(client), networkQueryOptions(client), ruleSetsQueryOptions(client)];
    for (const { queryKey } of [...open, ...personal]) {
      expect(queryKey.slice(0, 3)).toEqual(['service', genesisHash, program]);
      expect(() => hashKey(queryKey)).not.toThrow();
      for (const secret of [witness.salt, witness.birthDate, witness.region]) {
        expect(hashKey(queryKey)).not.toContain(secret);
      }
    }
    for (const { queryKey, meta } of personal) {
      expect(queryKey.slice(3, 5)).toEqual(['wallet', wallet]);
      expect(meta.personal).toBe(true);
    }
  });

  it('tell witnesses apart, and are the same for a copy of one', async () => {
    const { client, holder, other } = page;
    const { witness } = await testCredential(holder.address);
    const { witness: another } = await testCredential(other.address);
    const keyOf = (given: typeof witness | undefined) =>
      hashKey(
        proofCheckQueryOptions(client, { rule: mint, witness: given }, { wallet: holder.address }).queryKey,
      );
    expect(keyOf(witness)).toBe(keyOf({ ...witness }));
    expect(new Set([keyOf(witness), keyOf(another), keyOf(undefined)]).size).toBe(3);
  });
});

describe('a query', () => {
  it('is disabled without a wallet, a rule set, a request or an id, and then throws if it is fetched', async () => {
    const { client, requested } = page;
    const incomplete = [
      passportQueryOptions(client, { wallet: null }),
      passQueryOptions(client, { rule: null, wallet: mint }),
      proofCheckQueryOptions(client, { rule: mint }),
      transferCheckQueryOptions(client, null, { wallet: mint }),
      operationQueryOptions(client, undefined),
      receiptQueryOptions(client, null),
    ];
    for (const options of incomplete) {
      expect(options.enabled).toBe(false);
      await expect(cache.fetchQuery(options as never)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    }
    expect(requested).toEqual([]);
  });

  it('reads everything of a person’s way, and its data needs no serialization', async () => {
    const { client, holder, other } = page;
    await signIn();
    expect(await cache.fetchQuery(sessionQueryOptions(client))).toBe(holder.address);
    const { rule, operationId } = await mutate(createRuleSetMutationOptions(client, holder), rules);
    const wallet = holder.address;
    expect(await cache.fetchQuery(ruleSetsQueryOptions(client))).toMatchObject([{ address: rule }]);
    expect(await cache.fetchQuery(ruleSetsQueryOptions(client, { limit: 0 }))).toEqual([]);
    expect((await cache.fetchQuery(networkQueryOptions(client))).verifiers).toHaveLength(1);
    expect(await cache.fetchQuery(passportQueryOptions(client, { wallet }))).toMatchObject({ wallet });
    expect(await cache.fetchQuery(passQueryOptions(client, { rule, wallet: other.address }))).toBeNull();
    expect(await cache.fetchQuery(operationQueryOptions(client, operationId))).toMatchObject({ rule });
    const receipt = await cache.fetchQuery(receiptQueryOptions(client, operationId));
    expect(receipt).toMatchObject({ operationId });
    const { witness } = await testCredential(wallet);
    const check = await cache.fetchQuery(proofCheckQueryOptions(client, { rule, witness }));
    expect(check).toMatchObject({ pass: null });
    const transfer = { mint, source: mint, destination: mint, amount: 1n };
    expect(await cache.fetchQuery(transferCheckQueryOptions(client, transfer))).toMatchObject({ ok: false });
  });

  it('is repeated twice after an error that is retryable, and never after another', async () => {
    const { client, requested } = page;
    page.instead = offline;
    await expect(cache.fetchQuery({ ...networkQueryOptions(client) })).rejects.toMatchObject({
      code: 'NETWORK_ERROR',
    });
    expect(requested).toHaveLength(3);
    page.instead = undefined;
    requested.length = 0;
    const passport = passportQueryOptions(client, { wallet: mint });
    await expect(cache.fetchQuery(passport)).rejects.toMatchObject({ code: 'AUTHENTICATION_REQUIRED' });
    expect(requested).toEqual(['/api/passport']);
  });

  it('ends its request when nobody observes it any more', async () => {
    let given: AbortSignal | undefined;
    page.instead = (request) => {
      given = request.signal;
      return new Promise<Response>((_, reject) => {
        request.signal.addEventListener('abort', () => reject(request.signal.reason));
      });
    };
    const leave = new QueryObserver(cache, networkQueryOptions(page.client)).subscribe(() => {});
    await vi.waitFor(() => expect(given).toBeDefined());
    expect(given!.aborted).toBe(false);
    leave();
    await vi.waitFor(() => expect(given!.aborted).toBe(true));
  });
});

describe('a mutation', () => {
  it('is not repeated, although the defaults of the dApp say so', async () => {
    const { client, holder, requested } = page;
    await signIn();
    requested.length = 0;
    page.instead = (request) => (request.method === 'POST' ? offline() : undefined);
    const creating = mutate(createRuleSetMutationOptions(client, holder), rules);
    await expect(creating).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
    expect(requested.filter((path) => path.includes('rules'))).toHaveLength(1);
  });

  it('throws before any request while no wallet is chosen', async () => {
    const { client, requested } = page;
    const transfer = { mint, source: mint, destination: mint, amount: 1n };
    const transferring = mutate(transferMutationOptions(client, null), transfer);
    await expect(transferring).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      context: { field: 'wallet' },
    });
    expect(requested).toEqual([]);
  });

  it('makes stale what it changes, and nothing of another wallet', async () => {
    const { client, holder, other } = page;
    const keys = serviceQueryKeys(client);
    const [wallet, another] = [holder.address, other.address];
    const cached = [keys.session, keys.ruleSets, keys.passport(wallet), keys.transferCheck(wallet)];
    const others = [keys.network, keys.passport(another), keys.operation(wallet, 'id')];
    for (const key of [...cached, ...others]) cache.setQueryData(key, 1);
    const stale = () => {
      const found = cache.getQueryCache().findAll({ predicate: ({ state }) => state.isInvalidated });
      return found.map(({ queryKey }) => queryKey);
    };
    await invalidateAfter(cache, client, 'TRANSFER', wallet);
    expect(stale()).toEqual([keys.transferCheck(wallet)]);
    await invalidateAfter(cache, client, 'CREATE_RULE_SET', wallet);
    await invalidateAfter(cache, client, 'authenticate', wallet);
    expect(stale()).toEqual(expect.arrayContaining(cached));
    expect(stale()).not.toContainEqual(keys.network);
    expect(stale()).not.toContainEqual(keys.passport(another));
    expect(keysStaleAfter(client, 'logout', wallet)).toContainEqual(keys.wallet(wallet));
    // The creator of a rule set changes the pass of a holder.
    cache.setQueryData(keys.pass(another, mint), 1);
    await invalidateAfter(cache, client, 'GRANT', wallet, another);
    expect(stale()).toEqual(
      expect.arrayContaining([keys.ruleSets, keys.passport(another), keys.pass(another, mint)]),
    );
    expect(keysStaleAfter(client, 'SUSPEND', wallet)).not.toContainEqual(keys.passport(null));
    expect(keysStaleAfter(client, 'RECOVER', wallet)).toEqual(keysStaleAfter(client, 'ISSUE', wallet));
  });

  it('starts a verification, issues, and signs out', async () => {
    const { client, holder, other } = page;
    await signIn();
    const returnUrl = `${client.deployment.baseUrl}/verified`;
    const { url } = await mutate(startVerificationMutationOptions(client), { returnUrl });
    expect(new URL(url).origin).toBe(client.deployment.verifierOrigins[0]);
    const destination = await tokenAccountOf({ mint, owner: other.address });
    const issuing = mutate(issueMutationOptions(client, holder), { mint, destination, amount: 1n });
    await expect(issuing).rejects.toMatchObject({ code: 'MINT_NOT_BOUND' });
    const order = { mint, source: destination, amount: 1n, reason: 'other' } as const;
    const of = { rule: mint, holder: other.address };
    const refused = (act: Promise<unknown>, code: string) => expect(act).rejects.toMatchObject({ code });
    const recovery = { ...order, destination: mint };
    await refused(mutate(recoverMutationOptions(client, holder), recovery), 'MINT_NOT_BOUND');
    await refused(mutate(redeemMutationOptions(client, holder), order), 'MINT_NOT_BOUND');
    await refused(mutate(suspendMutationOptions(client, holder), { ...of, until: 0n }), 'NOT_FOUND');
    await refused(mutate(grantMutationOptions(client, holder), { ...of, expiresAt: 0n }), 'NOT_FOUND');
    await mutate(logoutMutationOptions(client));
    expect(await cache.fetchQuery(sessionQueryOptions(client))).toBeNull();
  });
});

describe('another account', () => {
  it('gets no passport of the session of another tab', async () => {
    const { client, holder, other } = page;
    await signIn();
    const passport = passportQueryOptions(client, { wallet: holder.address });
    expect(await cache.fetchQuery(passport)).toMatchObject({ wallet: holder.address });
    await page.otherPage().authenticate(other, client.deployment.genesisHash);
    await expect(cache.fetchQuery({ ...passport, staleTime: 0 })).rejects.toMatchObject({
      code: 'WALLET_MISMATCH',
      context: { expected: holder.address, received: other.address },
    });
  });

  it.each(['logout', 'another tab', 'expiry'] as const)(
    'sees nothing of the first one after %s',
    async (how) => {
      const { client, holder, other } = page;
      const stop = watchSession(client, cache);
      await signIn();
      const passport = passportQueryOptions(client, { wallet: holder.address });
      const observer = new QueryObserver(cache, { ...passport, staleTime: 0 });
      const leave = observer.subscribe(() => {});
      await vi.waitFor(() => expect(observer.getCurrentResult().data).toBeDefined());
      const { genesisHash } = client.deployment;
      if (how === 'logout') await client.logout();
      if (how === 'another tab') await page.otherPage().authenticate(other, genesisHash);
      if (how === 'expiry') await page.otherPage().logout();
      expect(observer.getCurrentResult().data?.wallet).toBe(how === 'logout' ? undefined : holder.address);
      if (how !== 'logout') {
        await observer.refetch();
        expect(observer.getCurrentResult().data).toBeUndefined();
        expect(['WALLET_MISMATCH', 'AUTHENTICATION_REQUIRED']).toContain(
          codeOf(observer.getCurrentResult().error),
        );
      }
      await vi.waitFor(() => expect(client.getSnapshot().wallet).not.toBe(holder.address));
      expect(cache.getQueryData(passport.queryKey)).toBeUndefined();
      expect(cache.getQueryData(sessionQueryOptions(client).queryKey)).toBe(client.getSnapshot().wallet);
      leave();
      stop();
    },
  );
});
