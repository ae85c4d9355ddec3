/** What the page of lies says, from errors of the client at a lying service in memory. */
import { ServiceClient, ServiceError, tokenAccountOf } from '@service/sdk';
import {
  authenticateMutationOptions,
  createRuleSetMutationOptions,
  transferMutationOptions,
} from '@service/sdk/query';
import { ServiceProvider } from '@service/sdk/react';
import { testWallet } from '@service/testing';
import { serviceHandlers } from '@service/testing/msw';
import { createSolanaRpcFromTransport } from '@solana/kit';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { rules } from '../query/support/dapp.ts';

const { describeAsked } = await import('../../examples/react/src/lies/describe-asked.ts');
const { describeDifferences } = await import('../../examples/react/src/lies/describe-differences.ts');
const { LIES } = await import('../../examples/react/src/lies/lies.ts');
const lying = await import('../../examples/react/src/lies/lying-service.ts');
const { RefusalReport } = await import('../../examples/react/src/lies/refusal-report.tsx');
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

interface Mutation<T> {
  readonly mutationKey: readonly unknown[];
  readonly mutationFn: (variables: T) => Promise<unknown>;
}

/** Runs a mutation, which must fail. Returns its error, and what tells the page of it. */
async function failureOf<T>({ mutationKey, mutationFn }: Mutation<T>, variables: T) {
  const submittedAt = Date.now();
  const error: ServiceError = await mutationFn(variables).then(
    () => expect.fail('the client did not refuse'),
    (reason) => reason,
  );
  return { error, note: () => noteRefusal(error, { mutationKey, variables, submittedAt }) };
}

/** Runs a mutation, which must fail, and returns what the page notes. */
async function refusalIn<T>(mutation: Mutation<T>, variables: T) {
  const { error, note } = await failureOf(mutation, variables);
  note();
  return refusalOf(error)!;
}

/** Creates a rule set, and ends the wait when the service has named a state. The error is OUTCOME_UNKNOWN. */
function creatingUntil(last: string, { wallet = holder, onLast = () => {} } = {}) {
  const abort = new AbortController();
  const onState = (state: string) => {
    if (state !== last) return;
    onLast();
    abort.abort();
  };
  return createRuleSetMutationOptions(client, wallet, { signal: abort.signal, onState });
}

type Refusal = Awaited<ReturnType<typeof refusalIn>>;
function reportOf(refusal: Refusal): string {
  const report = createElement(RefusalReport, { refusal });
  const inClient = createElement(ServiceProvider, { client, children: report });
  return renderToString(createElement(QueryClientProvider, { client: new QueryClient() }, inClient));
}

const terms = {
  tokens: (units: bigint) => `${units} tokens`,
  name: (each: string) => (each === destination ? 'Other' : each),
};

it('says which amount was asked for, and which the service sent', async () => {
  await authenticateMutationOptions(client, holder).mutationFn();
  const { rule } = await client.createRuleSet(holder, rules);
  await client.bindMint(holder, { mint, rule, requireSource: false });
  lie('prepare-other-amount');
  const request = { mint, source, destination, amount: 5n };
  const refusal = await refusalIn(transferMutationOptions(client, holder), request);
  expect(describeAsked(refusal.asked, terms)).toBe('Transfer 5 tokens to Other.');
  expect(describeDifferences(refusal, terms)).toContainEqual({
    part: 'amount',
    expected: '5 tokens',
    received: '50 tokens',
  });
  // The wallet can have signed something before, such as for a token account.
  const prevented = 'Your wallet was not asked to sign this transaction, and it was not sent.';
  expect(reportOf(refusal)).toContain(prevented);
});

it('names the cluster of a sign-in', async () => {
  lie('sign-in-other-cluster');
  const refusal = await refusalIn(authenticateMutationOptions(client, holder), undefined);
  expect(describeAsked(refusal.asked, terms)).toBe('Sign in at this site, on this cluster.');
  expect(describeDifferences(refusal, terms)).toEqual([
    { part: 'cluster', expected: client.deployment.genesisHash, received: expect.any(String) },
  ]);
});

it('says of an unknown outcome what the service said, and nothing of the chain or the wallet', async () => {
  await authenticateMutationOptions(client, holder).mutationFn();
  lie('outcome-finalized-and-kept-back');
  const refusal = await refusalIn(creatingUntil('FINALIZED'), rules);
  expect(refusal.error.code).toBe('OUTCOME_UNKNOWN');
  expect(describeDifferences(refusal, terms)).toEqual([
    {
      part: 'outcome',
      expected: 'a final transaction on the page’s own RPC',
      received: 'the service says FINALIZED',
    },
  ]);
  expect(reportOf(refusal)).not.toContain('not asked');
});

it('says that the chain has no transaction, if the error says so', async () => {
  await authenticateMutationOptions(client, holder).mutationFn();
  lie('outcome-finalized-and-kept-back');
  const refusal = await refusalIn(creatingUntil('FINALIZED'), rules);
  const { operationId } = refusal.error.context as { operationId: string };
  for (const [reason, end] of [
    ['NEVER_LANDED', 'the chain has no such transaction'],
    ['ON_CHAIN_ERROR', 'the chain rejected the transaction'],
  ] as const) {
    const error = new ServiceError('OPERATION_FAILED', { message: '', context: { operationId, reason } });
    const received = `the service says FINALIZED, and ${end}`;
    expect(describeDifferences({ ...refusal, error }, terms)).toEqual([
      expect.objectContaining({ received }),
    ]);
  }
});

it('notes no error of a call whose responses the service did not change', async () => {
  await authenticateMutationOptions(client, holder).mutationFn();
  const startLie = () => lie('outcome-finalized-and-kept-back');
  const honest = await failureOf(creatingUntil('QUEUED', { onLast: startLie }), rules);
  expect(honest.error.code).toBe('OUTCOME_UNKNOWN');
  // Meanwhile, an operation of another wallet meets the lie.
  await authenticateMutationOptions(client, other).mutationFn();
  const lied = await failureOf(creatingUntil('FINALIZED', { wallet: other }), rules);
  honest.note();
  expect(refusalOf(honest.error)).toBeUndefined();
  lied.note();
  expect(refusalOf(lied.error)).toBeDefined();
});

it('notes no error that is not about the lie', async () => {
  const declining = { ...holder, signMessages: () => Promise.reject(new Error('declined')) };
  lie('prepare-other-amount');
  expect(await refusalIn(authenticateMutationOptions(client, declining), undefined)).toBeUndefined();
});

it('names the lie that changed the response, whatever the person chose since', async () => {
  const changes = [lying.stopLying, () => lie('outcome-finalized-and-kept-back')];
  for (const change of changes) {
    lie('sign-in-other-cluster');
    const { error, note } = await failureOf(authenticateMutationOptions(client, holder), undefined);
    change();
    note();
    expect(refusalOf(error)?.changed.lie.mode.id).toBe('sign-in-other-cluster');
  }
});
