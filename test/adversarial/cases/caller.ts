/** Callers that sign twice, sign copies, or ask for what cannot be. */
import { expect } from 'vitest';
import { cast, type Play, type Players, pretend } from '../support/play.ts';
import { ORIGIN } from '../support/stage.ts';
import { type Case, refusing } from './case.ts';

const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const NO_OPERATION = '00000000-0000-4000-8000-000000000000';

type Called = (play: Play, players: Players) => Promise<unknown>;

function caller(
  id: string,
  code: string,
  call: Called,
  more: { context?: object; asks?: number } = {},
): Case {
  return refusing(
    `caller-${id}`,
    { code, ...(more.context ? { context: more.context } : {}) },
    async (players) => {
      const play = cast(players, { person: players.stage.holder });
      return { play, call: call(play, players) };
    },
    { asks: more.asks ?? 0 },
  );
}

/** Submissions are not passed on here: what was signed is on its way all the same, for all that the client knows. */
const signOnce: Called = async ({ client, wallet, traffic }, { stage }) => {
  const prepared = await stage.prepare('TRANSFER', client);
  await client.signAndSubmit(wallet, prepared).catch(() => undefined);
  expect(traffic.submits).toBe(1);
  Object.assign(traffic, { submits: 0 });
  return prepared;
};

const deployment = (id: string, change: object) =>
  caller(`deployment-${id}`, 'INVALID_ARGUMENT', async (_play, { stage, modules }) => {
    new modules.sdk.ServiceClient({ baseUrl: ORIGIN, deployment: { ...stage.deployment, ...change } });
  });

/** Callers that must be stopped. */
export const CALLER_CASES: readonly Case[] = [
  caller(
    'names-another-cluster',
    'GENESIS_HASH_MISMATCH',
    ({ client, wallet }) => client.authenticate(wallet, MAINNET),
    {
      context: { source: 'argument' },
    },
  ),
  caller('signs-a-copy', 'NOT_PREPARED', async ({ client, wallet }, { stage }) =>
    client.signAndSubmit(wallet, { ...(await stage.prepare('TRANSFER', client)) }),
  ),
  caller('signs-what-another-client-prepared', 'NOT_PREPARED', async ({ client, wallet }, players) => {
    const other = cast(players, { person: players.stage.holder });
    return client.signAndSubmit(wallet, await players.stage.prepare('TRANSFER', other.client));
  }),
  caller(
    'signs-twice',
    'OPERATION_ALREADY_SIGNED',
    async (play, players) => {
      const prepared = await signOnce(play, players);
      return play.client.signAndSubmit(play.wallet, prepared as never);
    },
    { asks: 1 },
  ),
  caller(
    'signs-at-once',
    'OPERATION_ALREADY_SIGNED',
    async (play, { stage }) => {
      const prepared = await stage.prepare('TRANSFER', play.client);
      const both = await Promise.allSettled(
        [1, 2].map(() => play.client.signAndSubmit(play.wallet, prepared)),
      );
      expect(play.traffic.submits).toBe(1);
      Object.assign(play.traffic, { submits: 0 });
      for (const each of both) {
        if (each.status === 'rejected' && each.reason.code !== 'OUTCOME_UNKNOWN') throw each.reason;
      }
    },
    { asks: 1 },
  ),
  caller(
    'prepares-what-was-signed',
    'OPERATION_ALREADY_SIGNED',
    async (play, players) => {
      await signOnce(play, players);
      return players.stage.prepare('TRANSFER', play.client);
    },
    { asks: 1 },
  ),
  caller('short-idempotency-key', 'IDEMPOTENCY_KEY_REQUIRED', ({ client }) =>
    client.prepare.createRuleSet(
      {
        name: 'A',
        clauses: [{ regions: ['FR'], statuses: ['retail'], minAge: 18 }],
        maxPassAgeSeconds: 86_400n,
      },
      { idempotencyKey: 'short' },
    ),
  ),
  caller('malformed-request', 'INVALID_REQUEST', ({ client }) =>
    client.prepare.transfer({ mint: 'x', amount: 1n } as never),
  ),
  caller(
    'prepares-nothing',
    'INVALID_ARGUMENT',
    ({ client }) => client.prepare.transfer(undefined as never),
    {
      context: { field: 'request' },
    },
  ),
  caller(
    'writes-without-a-wallet',
    'INVALID_ARGUMENT',
    ({ client }) => client.transfer(undefined as never, {} as never),
    { context: { field: 'wallet' } },
  ),
  caller(
    'proves-without-a-wallet',
    'INVALID_ARGUMENT',
    ({ client }) => client.prove(undefined as never, { rule: NO_OPERATION as never, witness: {} as never }),
    { context: { field: 'wallet' } },
  ),
  caller(
    'proves-no-rule-set',
    'INVALID_ARGUMENT',
    ({ client, wallet }, { stage }) =>
      client.prove(wallet, { rule: 'adults' as never, witness: stage.witness }),
    { context: { field: 'rule' } },
  ),
  caller(
    'posts-a-proof-of-no-rule-set',
    'INVALID_ARGUMENT',
    ({ client, wallet }) =>
      client.prove(wallet, { rule: 'adults' as never, expiresAt: 1n, proof: new Uint8Array(256) }),
    { context: { field: 'rule' } },
  ),
  caller('waits-for-no-operation', 'INVALID_ARGUMENT', ({ client }) => client.waitForOperation('1'), {
    context: { field: 'operationId' },
  }),
  caller(
    'waits-from-no-time',
    'INVALID_ARGUMENT',
    ({ client }) => client.waitForOperation(NO_OPERATION, { preparedAt: 5 as never }),
    { context: { field: 'preparedAt' } },
  ),
  caller('waits-for-no-wallet', 'INVALID_ARGUMENT', ({ client }) =>
    client.waitForOperation(NO_OPERATION, { wallet: 'me' as never }),
  ),
  caller(
    'waits-for-no-signature',
    'INVALID_ARGUMENT',
    ({ client }) => client.waitForOperation(NO_OPERATION, { signature: 'mine' as never }),
    { context: { field: 'signature' } },
  ),
  caller(
    'waits-for-another-signature',
    'INVALID_ARGUMENT',
    async (play, players) => {
      const { operationId } = (await signOnce(play, players)) as { operationId: string };
      return play.client.waitForOperation(operationId, { signature: '1'.repeat(64) as never });
    },
    { asks: 1, context: { field: 'signature' } },
  ),
  caller(
    'waits-for-another-wallet',
    'INVALID_ARGUMENT',
    async (play, players) => {
      const { operationId } = (await signOnce(play, players)) as { operationId: string };
      return play.client.waitForOperation(operationId, { wallet: players.stage.deployment.program });
    },
    { asks: 1 },
  ),
  caller(
    'aborts-after-signing',
    'OUTCOME_UNKNOWN',
    async (play, players) => {
      const { operationId } = (await signOnce(play, players)) as { operationId: string };
      return play.client.waitForOperation(operationId, { signal: AbortSignal.abort() });
    },
    { asks: 1 },
  ),
  caller('waits-for-a-draft', 'OPERATION_NOT_SIGNED', async ({ client }, { stage }) => {
    const { operationId } = await stage.prepareAnew(client);
    const result = await pretend(stage, () => client.waitForOperation(operationId, { timeoutMs: 20_000 }));
    if ('error' in result) throw result.error;
  }),
  deployment('without-program', { program: 'x' }),
  deployment('with-a-path', { verifierOrigins: ['https://verifier.example/path'] }),
  deployment('with-no-origin', { verifierOrigins: ['verifier'] }),
];
