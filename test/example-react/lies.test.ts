/** What the page of lies says, from errors of the client at a lying service in memory. */
import { ServiceClient, type ServiceError, tokenAccountOf } from '@service/sdk';
import { authenticateMutationOptions, transferMutationOptions } from '@service/sdk/query';
import { serviceHandlers, testWallet } from '@service/testing';
import { createSolanaRpcFromTransport } from '@solana/kit';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { rules } from '../query/support/dapp.ts';

// Before the example loads, which reads the storages.
await vi.hoisted(() => import('./support/page.ts'));
const { describeDifferences } = await import('../../examples/react/src/lies/describe-differences.ts');
const { LIES } = await import('../../examples/react/src/lies/lies.ts');
const lying = await import('../../examples/react/src/lies/lying-service.ts');
const { noteRefusal, refusalOf } = await import('../../examples/react/src/lies/refusals.ts');

const holder = await testWallet('holder');
const other = await testWallet('other');
const { address: mint } = await testWallet('mint');
const source = await tokenAccountOf({ mint, owner: holder.address });
const destination = await tokenAccountOf({ mint, owner: other.address });

let client: ServiceClient;
beforeEach(async () => {
  const { deployment, fetch } = await serviceHandlers({
    mints: [{ mint, issuer: holder.address }],
    tokenAccounts: [
      { address: source, mint, owner: holder.address, amount: 100n },
      { address: destination, mint, owner: other.address, amount: 0n },
    ],
  });
  let cookie = '';
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const request = new Request(input, init);
    request.headers.set('cookie', cookie);
    const response = await fetch(request);
    for (const line of response.headers.getSetCookie()) cookie = line.split(';')[0]!;
    return response;
  });
  const rpc = createSolanaRpcFromTransport(async ({ payload }) => {
    const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? Number(value) : value);
    const request = { method: 'POST', body: JSON.stringify(payload, plain) };
    return (await fetch(deployment.rpcUrl, request)).json() as never;
  });
  client = new ServiceClient({ deployment, fetch: lying.fetchFromService, rpc: rpc as never });
});
afterEach(() => {
  lying.stopLying();
  vi.unstubAllGlobals();
});

const lie = (id: string) => lying.startLying(LIES.find(({ mode }) => mode.id === id)!);

/** Runs a mutation, which must fail, and returns what the page notes. */
async function refusalIn<T>(
  {
    mutationKey,
    mutationFn,
  }: { mutationKey: readonly unknown[]; mutationFn: (variables: T) => Promise<unknown> },
  variables: T,
) {
  const error: ServiceError = await mutationFn(variables).then(
    () => expect.fail('the client did not refuse'),
    (reason) => reason,
  );
  noteRefusal(error, { mutationKey, variables });
  return refusalOf(error)!;
}

it('says which amount was asked for, and which the service sent', async () => {
  await authenticateMutationOptions(client, holder).mutationFn();
  const { rule } = await client.createRuleSet(holder, rules);
  await client.bindMint(holder, { mint, rule, requireSource: false });
  lie('prepare-other-amount');
  const request = { mint, source, destination, amount: 5n };
  const refusal = await refusalIn(transferMutationOptions(client, holder), request);
  expect(refusal.asked.words).toMatch(/^Transfer 5 base units to .{4}….{4}\.$/);
  expect(describeDifferences(refusal)).toContainEqual({
    part: 'amount in base units',
    expected: '5',
    received: '50',
  });
});

it('names the cluster of a sign-in', async () => {
  lie('sign-in-other-cluster');
  const refusal = await refusalIn(authenticateMutationOptions(client, holder), undefined);
  expect(refusal.asked.words).toBe('Sign in at this site, on this cluster.');
  expect(describeDifferences(refusal)).toEqual([
    { part: 'cluster', expected: client.deployment.genesisHash, received: expect.any(String) },
  ]);
});

it('notes no error that is not about the lie, and none of an honest service', async () => {
  const authenticate = authenticateMutationOptions(client, holder);
  const declining = { ...holder, signMessages: () => Promise.reject(new Error('declined')) };
  lie('prepare-other-amount');
  expect(await refusalIn(authenticateMutationOptions(client, declining), undefined)).toBeUndefined();
  lie('sign-in-other-cluster');
  const error: ServiceError = await authenticate.mutationFn().catch((reason) => reason);
  lying.stopLying();
  noteRefusal(error, authenticate);
  expect(refusalOf(error)).toBeUndefined();
});
