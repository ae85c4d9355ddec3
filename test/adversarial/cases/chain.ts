/** Nodes of another cluster, nodes that have forgotten, and what the service says beside them. */
import { randomUUID } from 'node:crypto';
import { MEMO_PROGRAM } from '@service/protocol';
import { createBindableMint } from '@service/sdk/chain';
import { expect } from 'vitest';
import { expectRefusal } from '../../support/expect-refusal.ts';
import {
  changingAccounts,
  type Edits,
  isCircuit,
  nodeWith,
  withFlippedByte,
  withValue,
} from '../support/node.ts';
import { type Casting, cast, type Play, type Players, pretend } from '../support/play.ts';
import type { Stage } from '../support/stage.ts';
import { answering, expired, land, ruleSet, valueIn, withoutTransaction } from '../support/story.ts';
import { type Case, refusing } from './case.ts';
import { OUTCOME_CASES } from './outcomes.ts';

const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const elsewhere = { getGenesisHash: () => MAINNET };
const overcharging = { getMinimumBalanceForRentExemption: () => 10n ** 12n };
function onNode(
  id: string,
  expected: { code: string; context?: object; retryable?: boolean },
  edits: (stage: Stage) => Edits,
  call: (play: Play, players: Players) => Promise<unknown>,
  more: Partial<Casting> = {},
): Case {
  return refusing(`node-${id}`, expected, async (players) => {
    const { stage } = players;
    const play = cast(players, { person: stage.holder, rpc: nodeWith(stage, edits(stage)), ...more });
    return { play, call: call(play, players) };
  });
}

interface Searched {
  readonly expected: { readonly code: string; readonly message?: unknown; readonly context?: object };
  readonly edits?: (stage: Stage) => Edits;
  readonly options?: (landed: { readonly signature: string }) => object;
}

/** After a reload: a draft that the service calls expired, next to an operation of the wallet that has landed. */
function search(id: string, { expected, edits = () => ({}), options }: Searched): Case {
  return refusing(`search-${id}`, expected, async (players) => {
    const { stage } = players;
    const person = await stage.newcomer();
    const before = cast(players, { person, forwards: true });
    const landed = await before.client.signAndSubmit(
      before.wallet,
      await before.client.prepare.createRuleSet(ruleSet(1n)),
    );
    await land(players);
    const { operationId } = await before.client.prepare.createRuleSet(ruleSet(2n));
    const rpc = nodeWith(stage, edits(stage));
    const play = cast(players, { person, rpc, through: answering(expired) });
    const given = { wallet: person.key.address, timeoutMs: 60_000, ...options?.(landed) };
    const onStep = async () => stage.world.net.advanceSlots(400);
    const waiting = pretend(stage, () => play.client.waitForOperation(operationId, given), { onStep });
    return { play, call: waiting.then(valueIn) };
  });
}

/** Signs a prepared operation of a kind. */
const signs =
  (kind: 'ISSUE' | 'TRANSFER') =>
  async ({ client, wallet }: Play, { stage }: Players) =>
    client.signAndSubmit(wallet, await stage.prepare(kind, client));

/** Nodes, and what a client makes of them. */
export const CHAIN_CASES: readonly Case[] = [
  onNode(
    'that-overcharges-the-rent-of-a-mint',
    { code: 'RPC_ERROR' },
    () => overcharging,
    ({ wallet }, { stage }) =>
      createBindableMint(wallet, {
        deployment: stage.deployment,
        rpc: nodeWith(stage, overcharging) as never,
      }),
  ),
  onNode(
    'of-another-cluster-at-sign-in',
    { code: 'GENESIS_HASH_MISMATCH', context: { source: 'rpc' } },
    () => elsewhere,
    ({ client, wallet }, { stage }) => client.authenticate(wallet, stage.deployment.genesisHash),
  ),
  onNode(
    'of-another-cluster-at-signing',
    { code: 'GENESIS_HASH_MISMATCH', context: { source: 'rpc' } },
    () => elsewhere,
    signs('TRANSFER'),
  ),
  onNode(
    'of-another-cluster-at-proving',
    { code: 'GENESIS_HASH_MISMATCH', context: { source: 'rpc' } },
    () => elsewhere,
    ({ client }, { stage }) => client.proofContext({ rule: stage.rule }),
  ),
  onNode(
    'of-another-cluster-after-a-reload',
    { code: 'GENESIS_HASH_MISMATCH', context: { source: 'rpc' } },
    () => elsewhere,
    async ({ client }, { stage }) => {
      const { operationId } = await stage.prepare('TRANSFER', client);
      const options = { wallet: stage.holder.key.address, timeoutMs: 5_000 };
      return valueIn(await pretend(stage, () => client.waitForOperation(operationId, options)));
    },
    {
      through: answering((answer) => ({
        ...withoutTransaction(answer),
        state: 'FAILED',
        signature: '5'.repeat(88),
        failure: { reason: 'NEVER_LANDED', message: 'It never landed.' },
      })),
    },
  ),
  ...(['ISSUE', 'TRANSFER', 'PROVE'] as const).map((kind) =>
    onNode(
      `that-lacks-the-accounts-of-${kind.toLowerCase()}`,
      { code: kind === 'PROVE' ? 'CREDENTIAL_REQUIRED' : 'MINT_NOT_BOUND' },
      () => changingAccounts((value) => (isCircuit(value) ? value : null)),
      async ({ client, wallet, traffic }, { stage }) => {
        const prepared = await stage.prepare(kind, client);
        // A proof that was posted before.
        traffic.proofs = 0;
        return client.signAndSubmit(wallet, prepared);
      },
    ),
  ),
  ...(['ISSUE', 'TRANSFER'] as const).map((kind) =>
    onNode(
      `that-lacks-the-token-accounts-of-${kind.toLowerCase()}`,
      { code: 'TOKEN_ACCOUNT_NOT_FOUND' },
      () => changingAccounts((value, index, all) => (index > 0 && index === all.length - 1 ? null : value)),
      signs(kind),
    ),
  ),
  onNode(
    'whose-accounts-are-of-another-owner',
    { code: 'MINT_NOT_BOUND' },
    () =>
      changingAccounts((value, index) =>
        index === 0 ? { ...(value as object), owner: MEMO_PROGRAM } : value,
      ),
    signs('TRANSFER'),
  ),
  ...([0, 1] as const).map((byte) =>
    onNode(
      byte === 0 ? 'whose-accounts-are-of-another-type' : 'whose-accounts-are-of-another-version',
      { code: 'MINT_NOT_BOUND' },
      () => changingAccounts((value, index) => (index === 0 ? withFlippedByte(value, byte) : value)),
      signs('TRANSFER'),
    ),
  ),
  ...(
    [
      // Type, version, bump, mint and rule come before the issuer; the mint is the first field of a token account.
      ['whose-binding-is-of-another-issuer', 'NOT_ISSUER', 'ISSUE', 0, 67],
      ['whose-token-account-is-of-another-mint', 'INVALID_REQUEST', 'ISSUE', 1, 0],
    ] as const
  ).map(([id, code, kind, place, byte]) =>
    onNode(
      id,
      { code },
      () => changingAccounts((value, index) => (index === place ? withFlippedByte(value, byte) : value)),
      signs(kind),
    ),
  ),
  onNode(
    'that-lacks-the-mint',
    { code: 'MINT_NOT_BOUND' },
    () => changingAccounts((value, index) => (index === 1 ? null : value)),
    signs('TRANSFER'),
  ),
  onNode(
    'on-which-the-blockhash-dies-meanwhile',
    { code: 'BLOCKHASH_INVALID', retryable: false },
    () => ({ isBlockhashValid: (result) => withValue(result, false) }),
    signs('TRANSFER'),
  ),
  {
    ...refusing(
      'node-on-which-the-blockhash-dies-at-the-prompt',
      { code: 'DRAFT_EXPIRED' },
      async (players) => {
        const { stage } = players;
        const rpc = nodeWith(stage, {
          isBlockhashValid: (result) => (play.traffic.asked > 0 ? withValue(result, false) : result),
        });
        const play: Play = cast(players, { person: stage.holder, rpc });
        return {
          play,
          call: play.client.signAndSubmit(play.wallet, await stage.prepare('TRANSFER', play.client)),
        };
      },
      { asks: 1 },
    ),
  },
  ...OUTCOME_CASES,
  // What follows is the service's word on an operation that this client did not sign.
  refusing('service-expires-another', { code: 'UNEXPECTED_RESPONSE' }, async (players) => {
    const { stage } = players;
    const through = answering((answer) => ({
      ...expired(answer),
      operationId: '00000000-0000-4000-8000-000000000000',
    }));
    const play = cast(players, { person: stage.holder, through });
    const { operationId } = await stage.prepare('TRANSFER', play.client);
    return { play, call: play.client.waitForOperation(operationId) };
  }),
  refusing('service-expires-a-draft', { code: 'DRAFT_EXPIRED' }, async (players) => {
    const { stage } = players;
    const play = cast(players, { person: stage.holder, through: answering(expired) });
    const { operationId } = await stage.prepareAnew(play.client);
    const waiting = pretend(stage, () => play.client.waitForOperation(operationId, { timeoutMs: 2_000 }));
    return { play, call: waiting.then(valueIn) };
  }),
  search('without-a-wallet', {
    expected: { code: 'OUTCOME_UNKNOWN', message: expect.stringContaining('client.authenticate') },
    options: () => ({ wallet: undefined }),
  }),
  search('on-another-cluster', { expected: { code: 'GENESIS_HASH_MISMATCH' }, edits: () => elsewhere }),
  search('of-what-nobody-signed', { expected: { code: 'DRAFT_EXPIRED' } }),
  search('in-a-history-that-is-too-short', {
    expected: { code: 'OUTCOME_UNKNOWN' },
    edits: ({ world }) => ({ getFirstAvailableBlock: () => world.net.slot }),
  }),
  search('for-the-signature-of-another-operation', {
    expected: { code: 'INVALID_ARGUMENT', context: { field: 'signature' } },
    options: ({ signature }) => ({ signature: signature as never }),
  }),
  // No credential, and none to come: the service can always refuse, and is not waited for.
  refusing('service-ends-a-verification', { code: 'VERIFICATION_FAILED' }, async (players) => {
    const verification = { sessionId: randomUUID(), state: 'FAILED', expiresAt: '1', failure: 'declined' };
    const through = answering((answer) => ({ ...answer, verification }), '/api/passport');
    const play = cast(players, { person: await players.stage.newcomer(), through });
    return { play, call: play.client.waitForCredential({ timeoutMs: 5_000 }) };
  }),
  refusing('service-stale-after-reload', { code: 'OUTCOME_UNKNOWN' }, async (players) => {
    const { stage } = players;
    const refusal = { error: { code: 'INDEX_STALE', message: 'later', requestId: 'r' } };
    const through: Casting['through'] = () => async () => Response.json(refusal, { status: 503 });
    const play = cast(players, { person: stage.holder, through });
    const id = '00000000-0000-4000-8000-000000000000';
    // Longer than the client tries again by itself.
    const waiting = pretend(stage, () => play.client.waitForOperation(id, { timeoutMs: 8_000 }));
    return { play, call: waiting.then(valueIn) };
  }),
  ...(['other-signature', 'other-operation', 'other-kind', 'other-wallet', 'called-expired'] as const).map(
    (name) => ({
      id: `service-submit-${name}`,
      isFresh: false,
      async play(players: Players) {
        const { stage, modules } = players;
        const mode = modules.testing.HOSTILE_MODES.find(({ id }) => id === `outcome-${name}`)!;
        const play = cast(players, { mode, person: stage.holder, through: () => queuing(stage) });
        const prepared = await stage.prepare('BIND_MINT', play.client);
        await expectRefusal(play.client.signAndSubmit(play.wallet, prepared), 'OUTCOME_UNKNOWN');
        expect([play.traffic.asked, play.traffic.submits]).toEqual([1, 1]);
      },
    }),
  ),
];

/** The service, with submissions answered as nothing and kept back. */
function queuing(stage: Stage): typeof fetch {
  const service = stage.service(stage.holder.cookie);
  return async (input, init) => {
    const asked = new Request(input, init);
    return new URL(asked.url).pathname === '/api/transactions/submit' ? Response.json({}) : service(asked);
  };
}
