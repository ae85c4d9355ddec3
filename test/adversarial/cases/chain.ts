/** Nodes of another cluster, nodes that lost data, and what the service reports at the same time. */
import { randomUUID } from 'node:crypto';
import { MEMO_PROGRAM } from '@service/protocol';
import { createBindableMint } from '@service/sdk/chain';
import { expect } from 'vitest';
import { asExpired, changedResponses, withoutTransaction } from '../../support/changed-responses.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { refusal } from '../../support/hostile-service.ts';
import { withValue } from '../../support/node.ts';
import { type Casting, cast, type Play, type Players, pretend } from '../support/play.ts';
import {
  changingAccounts,
  isCircuit,
  land,
  otherCluster,
  ruleSet,
  withFlippedByte,
} from '../support/story.ts';
import { modeOf } from '../sweep/index.ts';
import { type Case, invalidArgument, type Options, type Rejection, ready, rejecting } from './case.ts';
import { OUTCOME_CASES } from './outcomes.ts';

const NO_OPERATION = '00000000-0000-4000-8000-000000000000';
const OF_ANOTHER_CLUSTER = { code: 'GENESIS_HASH_MISMATCH', context: { source: 'rpc' } };
const overcharging = () => ({ getMinimumBalanceForRentExemption: () => 10n ** 12n });

const onNode = (
  id: string,
  rejection: Rejection,
  edits: NonNullable<Casting['edits']>,
  call: (play: Play, players: Players) => unknown,
  options: Options = {},
) => rejecting(`node-${id}`, rejection, call, { edits, ...options });

/** Signs a prepared operation of a kind. */
const signs =
  (kind: 'ISSUE' | 'TRANSFER' | 'PROVE') =>
  async ({ client, wallet, traffic }: Play, { stage }: Players) => {
    const prepared = await ready(stage.prepare(kind, client));
    // The proof that prepare posts does not count.
    traffic.proofs = 0;
    return client.signAndSubmit(wallet, prepared);
  };

/** A node with changed accounts, while an operation is signed. */
const withAccounts = (
  id: string,
  code: string,
  kind: 'ISSUE' | 'TRANSFER' | 'PROVE',
  change: Parameters<typeof changingAccounts>[0],
) => onNode(id, code, () => changingAccounts(change), signs(kind));

/** Waits for an operation while pretended time passes. */
const waitFor = ({ client }: Play, { stage }: Players, operationId: string, options: object) =>
  pretend(stage, () => client.waitForOperation(operationId, options));

/** After a reload: a draft that the service reports as expired, and an operation of the wallet that has landed. */
const search = (
  id: string,
  rejection: Rejection,
  edits: Casting['edits'],
  options: (landed: { readonly signature: string }) => object = () => ({}),
  records: Casting['records'] = asExpired,
) =>
  rejecting<{ operationId: string; wait: object }>(
    `search-${id}`,
    rejection,
    ({ client }, { stage }, { operationId, wait }) =>
      pretend(stage, () => client.waitForOperation(operationId, wait), {
        onStep: async () => stage.world.net.advanceSlots(400),
      }),
    {
      async setUp(players) {
        const person = await players.stage.newcomer();
        const { client, wallet } = cast(players, { person, forwards: true });
        const prepared = await client.prepare.createRuleSet(ruleSet(1n));
        const landed = await client.signAndSubmit(wallet, prepared);
        await land(players);
        const { operationId } = await client.prepare.createRuleSet(ruleSet(2n));
        const wait = { wallet: wallet.address, timeoutMs: 60_000, ...options(landed as never) };
        return { person, operationId, wait, records, ...(edits ? { edits } : {}) };
      },
    },
  );

/** A service that returns nothing for a submission, keeps it, and tampers with what it reports then. */
const submitting = (name: string): Case => ({
  id: `service-submit-${name}`,
  async play(players: Players) {
    const { stage } = players;
    const mode = modeOf(`outcome-${name}`);
    const service = stage.service(stage.holder.cookie);
    const through = (): typeof fetch => async (input, init) => {
      const request = new Request(input, init);
      return request.url.endsWith('/api/transactions/submit') ? Response.json({}) : service(request);
    };
    const play = cast(players, { mode, person: stage.holder, through });
    const prepared = await stage.prepare('BIND_MINT', play.client);
    await expectRefusal(play.client.signAndSubmit(play.wallet, prepared), 'OUTCOME_UNKNOWN');
    expect([play.traffic.asked, play.traffic.submits]).toEqual([1, 1]);
  },
});

/** A node that limits requests for a moment. The client waits, and then signs in. */
const limitingNode: Case = {
  id: 'node-that-limits-requests',
  async play(players) {
    const { stage } = players;
    let left = 2;
    const getGenesisHash = (result: string) => {
      if (left === 0) return result;
      left -= 1;
      throw Object.assign(new Error('Too many requests'), { context: { statusCode: 429 } });
    };
    const { client, wallet } = cast(players, { person: stage.holder, edits: () => ({ getGenesisHash }) });
    await pretend(stage, () => client.authenticate(wallet, stage.deployment.genesisHash));
    expect(left).toBe(0);
  },
};

/** A node that fails for another reason. The client does not ask it again and again. */
const failingNode: Case = {
  id: 'node-that-fails',
  async play(players) {
    const { stage } = players;
    let asked = 0;
    const getGenesisHash = () => {
      asked += 1;
      throw Object.assign(new Error('Service unavailable'), { context: { statusCode: 503 } });
    };
    const { client, wallet } = cast(players, { person: stage.holder, edits: () => ({ getGenesisHash }) });
    const signIn = pretend(stage, () => client.authenticate(wallet, stage.deployment.genesisHash));
    await expectRefusal(signIn, 'RPC_ERROR');
    expect(asked).toBe(1);
  },
};

export const CHAIN_CASES: readonly Case[] = [
  limitingNode,
  failingNode,
  onNode(
    'that-overcharges-the-rent-of-a-mint',
    'RPC_ERROR',
    overcharging,
    ({ wallet }, { stage: { deployment, node } }) =>
      createBindableMint(wallet, { deployment, rpc: node(overcharging()) }),
  ),
  onNode('of-another-cluster-at-sign-in', OF_ANOTHER_CLUSTER, otherCluster, ({ client, wallet }, { stage }) =>
    client.authenticate(wallet, stage.deployment.genesisHash),
  ),
  onNode('of-another-cluster-at-signing', OF_ANOTHER_CLUSTER, otherCluster, signs('TRANSFER')),
  onNode('of-another-cluster-at-proving', OF_ANOTHER_CLUSTER, otherCluster, ({ client }, { stage }) =>
    client.proofContext({ rule: stage.rule }),
  ),
  onNode(
    'of-another-cluster-after-a-reload',
    OF_ANOTHER_CLUSTER,
    otherCluster,
    async (play, players) => {
      const { operationId } = await ready(players.stage.prepare('TRANSFER', play.client));
      return waitFor(play, players, operationId, { wallet: play.wallet.address, timeoutMs: 5_000 });
    },
    {
      records: (record) => ({
        ...withoutTransaction(record),
        state: 'FAILED',
        signature: '5'.repeat(88),
        failure: { reason: 'NEVER_LANDED', message: 'It never landed.' },
      }),
    },
  ),
  ...(['ISSUE', 'TRANSFER', 'PROVE'] as const).map((kind) =>
    withAccounts(
      `that-lacks-the-accounts-of-${kind.toLowerCase()}`,
      kind === 'PROVE' ? 'CREDENTIAL_REQUIRED' : 'MINT_NOT_BOUND',
      kind,
      (account) => (isCircuit(account) ? account : null),
    ),
  ),
  ...(['ISSUE', 'TRANSFER'] as const).map((kind) =>
    withAccounts(
      `that-lacks-the-token-accounts-of-${kind.toLowerCase()}`,
      'TOKEN_ACCOUNT_NOT_FOUND',
      kind,
      (account, index, all) => (index > 0 && index === all.length - 1 ? null : account),
    ),
  ),
  withAccounts('whose-accounts-are-of-another-owner', 'MINT_NOT_BOUND', 'TRANSFER', (account, index) =>
    index === 0 ? Object.assign({ ...account }, { owner: MEMO_PROGRAM }) : account,
  ),
  ...(
    [
      ['whose-accounts-are-of-another-type', 'MINT_NOT_BOUND', 'TRANSFER', 0, 0],
      ['whose-accounts-are-of-another-version', 'MINT_NOT_BOUND', 'TRANSFER', 0, 1],
      // Type, version, bump, mint and rule come before the issuer; the mint is the first field of a token account.
      ['whose-binding-is-of-another-issuer', 'NOT_ISSUER', 'ISSUE', 0, 67],
      ['whose-token-account-is-of-another-mint', 'INVALID_REQUEST', 'ISSUE', 1, 0],
    ] as const
  ).map(([id, code, kind, place, byte]) =>
    withAccounts(id, code, kind, (account, index) =>
      index === place ? withFlippedByte(account, byte) : account,
    ),
  ),
  withAccounts('that-lacks-the-mint', 'MINT_NOT_BOUND', 'TRANSFER', (account, index) =>
    index === 1 ? null : account,
  ),
  onNode(
    'on-which-the-blockhash-expires',
    { code: 'BLOCKHASH_INVALID', retryable: false },
    () => ({ isBlockhashValid: (result: object) => withValue(result, false) }),
    signs('TRANSFER'),
  ),
  onNode(
    'on-which-the-blockhash-expires-at-the-prompt',
    'DRAFT_EXPIRED',
    (_stage, traffic) => ({
      isBlockhashValid: (result: object) => (traffic.asked > 0 ? withValue(result, false) : result),
    }),
    signs('TRANSFER'),
    { asks: 1 },
  ),
  ...OUTCOME_CASES,
  // In these cases the service reports on an operation that this client did not sign.
  rejecting(
    'service-expires-another',
    'UNEXPECTED_RESPONSE',
    async ({ client }, { stage }) => {
      const { operationId } = await ready(stage.prepare('TRANSFER', client));
      return client.waitForOperation(operationId);
    },
    { records: (record) => ({ ...asExpired(record), operationId: NO_OPERATION }) },
  ),
  rejecting(
    'service-expires-a-draft',
    'DRAFT_EXPIRED',
    async (play, players) => {
      const { operationId } = await ready(players.stage.prepareNew(play.client));
      return waitFor(play, players, operationId, { timeoutMs: 2_000 });
    },
    { records: asExpired },
  ),
  search(
    'without-a-wallet',
    { code: 'OUTCOME_UNKNOWN', message: expect.stringContaining('client.authenticate') },
    undefined,
    () => ({ wallet: undefined }),
  ),
  search('on-another-cluster', 'GENESIS_HASH_MISMATCH', otherCluster),
  search('of-an-unsigned-draft', 'DRAFT_EXPIRED', undefined),
  search('without-a-session', 'DRAFT_EXPIRED', undefined, undefined, () =>
    refusal('AUTHENTICATION_REQUIRED', 401),
  ),
  search('of-what-the-service-has-lost', 'DRAFT_EXPIRED', undefined, undefined, () =>
    refusal('NOT_FOUND', 404),
  ),
  search('in-a-history-that-is-too-short', 'OUTCOME_UNKNOWN', ({ world }) => ({
    getFirstAvailableBlock: () => world.net.slot,
  })),
  search(
    'for-the-signature-of-another-operation',
    invalidArgument('signature'),
    undefined,
    ({ signature }) => ({ signature }),
  ),
  // There will be no credential. The service can always refuse one, so the client does not wait for it.
  rejecting(
    'service-ends-a-verification',
    'VERIFICATION_FAILED',
    ({ client }) => client.waitForCredential({ timeoutMs: 5_000 }),
    {
      async setUp({ stage }) {
        const failed = { sessionId: randomUUID(), state: 'FAILED', expiresAt: '1', failure: 'declined' };
        const change = (passport: object) => ({ ...passport, verification: failed });
        return {
          person: await stage.newcomer(),
          through: (fetch: typeof globalThis.fetch) => changedResponses(fetch, change, '/api/passport'),
        };
      },
    },
  ),
  rejecting(
    'service-stale-after-reload',
    'OUTCOME_UNKNOWN',
    // Longer than the client retries.
    (play, players) => waitFor(play, players, NO_OPERATION, { timeoutMs: 8_000 }),
    { through: () => async () => refusal('INDEX_STALE', 503) },
  ),
  ...['other-signature', 'other-operation', 'other-kind', 'other-wallet', 'called-expired'].map(submitting),
];
