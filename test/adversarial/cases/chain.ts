/** Nodes of another cluster, nodes that have forgotten, and what the service says beside them. */
import { randomUUID } from 'node:crypto';
import { MEMO_PROGRAM } from '@service/protocol';
import { CIRCUIT_ACCOUNT_TYPE } from '@service/protocol/generated';
import { createBindableMint } from '@service/sdk/chain';
import {
  createSolanaRpcFromTransport,
  getAddressEncoder,
  getBase64Decoder,
  getBase64Encoder,
  type RpcTransport,
} from '@solana/kit';
import { expect } from 'vitest';
import { type Casting, cast, type Play, type Players, pretend, type Result } from '../support/play.ts';
import type { Stage } from '../support/stage.ts';
import { type Case, refusing } from './case.ts';

/** The answer of a node, of which a case changes the result. */
type Edit = (result: unknown, params: readonly unknown[]) => unknown;

/** A node whose results are changed, method by method. */
export function nodeWith(stage: Stage, edits: Readonly<Record<string, Edit>>): Stage['rpc'] {
  const transport = (async (request: Parameters<RpcTransport>[0]) => {
    const { method, params } = request.payload as { method: string; params: readonly unknown[] };
    const answer = (await stage.world.net.transport(request)) as { result: unknown };
    return edits[method] ? { ...answer, result: edits[method](answer.result, params) } : answer;
  }) as RpcTransport;
  return createSolanaRpcFromTransport(transport) as unknown as Stage['rpc'];
}

const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const elsewhere = { getGenesisHash: () => MAINNET };
const overcharging = { getMinimumBalanceForRentExemption: () => 10n ** 12n };
const accountsIn = (result: unknown) => (result as { value: unknown[] }).value;
const withValue = (result: unknown, value: unknown) => ({ ...(result as object), value });

function onNode(
  id: string,
  expected: { code: string; context?: object; retryable?: boolean },
  edits: (stage: Stage) => Readonly<Record<string, Edit>>,
  call: (play: Play, players: Players) => Promise<unknown>,
  more: Partial<Casting> = {},
): Case {
  return refusing(`node-${id}`, expected, async (players) => {
    const { stage } = players;
    const play = cast(players, { person: stage.holder, rpc: nodeWith(stage, edits(stage)), ...more });
    return { play, call: call(play, players) };
  });
}

const clauses = [{ regions: ['FR'], statuses: ['retail'], minAge: 18 }] as const;
const request = { name: 'Adults', nonce: 9n, clauses, maxPassAgeSeconds: 86_400n };

interface Story {
  readonly forwards: boolean;
  /** What happens on the way, once the bytes have left. */
  readonly onStep?: (players: Players) => Promise<void>;
  readonly edits?: (stage: Stage) => Readonly<Record<string, Edit>>;
  readonly through?: Casting['through'];
  readonly expect: (result: Result) => void;
}

/** A write whose end is looked for on a node. */
function outcome(id: string, story: Story): Case {
  return {
    id: `node-${id}`,
    isFresh: false,
    async play(players) {
      const { stage } = players;
      const person = await stage.newcomer();
      const play = cast(players, {
        person,
        forwards: story.forwards,
        ...(story.edits ? { rpc: nodeWith(stage, story.edits(stage)) } : {}),
        ...(story.through ? { through: story.through } : {}),
      });
      const result = await pretend(
        stage,
        () => play.client.createRuleSet(play.wallet, request, { timeoutMs: 20_000 }),
        {
          mayPass: () => play.traffic.submits > 0,
          onStep: () => story.onStep?.(players) ?? Promise.resolve(),
        },
      );
      if ('error' in result) players.secrets.searchError(id, result.error);
      story.expect(result);
      expect([play.traffic.asked, play.traffic.submits]).toEqual([1, 1]);
    },
  };
}

const refused = (expected: object) => (result: Result) =>
  expect('error' in result ? result.error : new Error('nothing was refused')).toMatchObject(expected);
const unknown = refused({ code: 'OUTCOME_UNKNOWN' });
const resolved = (result: Result) => {
  if ('error' in result) throw result.error;
};
const given = (result: Result) => {
  if ('error' in result) throw result.error;
  return result.value;
};
const land = async ({ stage: { world } }: Players) => {
  await world.created.tick();
  await world.finalize();
  await world.created.tick();
};
/** The blockhash of what was signed dies. */
const die = async ({ stage: { world } }: Players) => {
  world.net.advanceSlots(160);
  await world.finalize();
};

/** What a node says that has lost a transaction. */
const LOST: Readonly<Record<string, Edit>> = {
  getTransaction: () => null,
  getSignatureStatuses: (result) => withValue(result, [null]),
  getSignaturesForAddress: () => [],
};
const lost =
  (...methods: string[]) =>
  () =>
    Object.fromEntries(methods.map((method) => [method, LOST[method]!]));

/** A node that has lost a transaction for so many looks for its absence. */
function lostFor(looks: number): () => Readonly<Record<string, Edit>> {
  return () => {
    let looked = 0;
    const forgetting =
      (method: string): Edit =>
      (result, params) =>
        looked < looks ? LOST[method]!(result, params) : result;
    return {
      getTransaction: forgetting('getTransaction'),
      getSignatureStatuses: forgetting('getSignatureStatuses'),
      // The last question of a look.
      getSignaturesForAddress: (result, params) => {
        const told = forgetting('getSignaturesForAddress')(result, params);
        looked += 1;
        return told;
      },
    };
  };
}

/** A node that has lost a transaction for a time. */
function lostUntil(milliseconds: number): () => Readonly<Record<string, Edit>> {
  return () => {
    let since: number | undefined;
    const forgetting =
      (method: string): Edit =>
      (result, params) => {
        if (method === 'getSignaturesForAddress') since ??= performance.now();
        const isLost = since === undefined || performance.now() - since < milliseconds;
        return isLost ? LOST[method]!(result, params) : result;
      };
    return Object.fromEntries(Object.keys(LOST).map((method) => [method, forgetting(method)]));
  };
}

/** A node that shows another transaction in place of the one that is asked for. */
const showing = (change: (wire: Uint8Array) => Uint8Array) => () => ({
  getTransaction: (result: unknown) => {
    if (!result) return result;
    const { transaction } = result as { transaction: [string, string] };
    const wire = change(new Uint8Array(getBase64Encoder().encode(transaction[0])));
    return { ...(result as object), transaction: [getBase64Decoder().decode(wire), 'base64'] };
  },
});
const foreign = refused({ code: 'UNEXPECTED_RESPONSE' });
/** The first account key: version, three counts, the number of keys come before it. */
const FEE_PAYER = 65 + 5;

function placeOf(wire: Uint8Array, part: Uint8Array): number {
  return Buffer.from(wire).indexOf(Buffer.from(part));
}

const flipped = (wire: Uint8Array, at: number) => {
  const changed = wire.slice();
  changed[at]! ^= 1;
  return changed;
};

/** An operation that the service says is in some state. */
const saying =
  (change: (told: Record<string, unknown>) => object, path = '/api/operations/'): Casting['through'] =>
  (fetch) =>
  async (input, init) => {
    const asked = new Request(input, init);
    const response = await fetch(asked);
    if (!new URL(asked.url).pathname.startsWith(path)) return response;
    return Response.json(change((await response.json()) as Record<string, unknown>));
  };

const expired = ({ transaction: _, ...told }: Record<string, unknown>) => ({ ...told, state: 'EXPIRED' });

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
    async ({ client, wallet }, { stage }) =>
      client.signAndSubmit(wallet, await stage.prepare('TRANSFER', client)),
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
      return given(await pretend(stage, () => client.waitForOperation(operationId, options)));
    },
    {
      through: saying(({ transaction: _, ...told }) => ({
        ...told,
        state: 'FAILED',
        signature: '5'.repeat(88),
        failure: { reason: 'NEVER_LANDED', message: 'It never landed.' },
      }))!,
    },
  ),
  ...(['ISSUE', 'TRANSFER', 'PROVE'] as const).map((kind) =>
    onNode(
      `that-lacks-the-accounts-of-${kind.toLowerCase()}`,
      { code: kind === 'PROVE' ? 'CREDENTIAL_REQUIRED' : 'MINT_NOT_BOUND' },
      () => ({
        getMultipleAccounts: (result) =>
          withValue(
            result,
            accountsIn(result).map((value) => (isCircuit(value) ? value : null)),
          ),
      }),
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
      () => ({
        getMultipleAccounts: (result) =>
          withValue(
            result,
            accountsIn(result).map((value, index, all) =>
              index > 0 && index === all.length - 1 ? null : value,
            ),
          ),
      }),
      async ({ client, wallet }, { stage }) =>
        client.signAndSubmit(wallet, await stage.prepare(kind, client)),
    ),
  ),
  onNode(
    'whose-accounts-are-of-another-owner',
    { code: 'MINT_NOT_BOUND' },
    () => ({
      getMultipleAccounts: (result) =>
        withValue(
          result,
          accountsIn(result).map((value, index) =>
            index === 0 ? { ...(value as object), owner: MEMO_PROGRAM } : value,
          ),
        ),
    }),
    async ({ client, wallet }, { stage }) =>
      client.signAndSubmit(wallet, await stage.prepare('TRANSFER', client)),
  ),
  ...([0, 1] as const).map((byte) =>
    onNode(
      byte === 0 ? 'whose-accounts-are-of-another-type' : 'whose-accounts-are-of-another-version',
      { code: 'MINT_NOT_BOUND' },
      () => ({
        getMultipleAccounts: (result) =>
          withValue(
            result,
            accountsIn(result).map((value, index) => (index === 0 ? withFlippedByte(value, byte) : value)),
          ),
      }),
      async ({ client, wallet }, { stage }) =>
        client.signAndSubmit(wallet, await stage.prepare('TRANSFER', client)),
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
      () => ({
        getMultipleAccounts: (result) =>
          withValue(
            result,
            accountsIn(result).map((value, index) =>
              index === place ? withFlippedByte(value, byte) : value,
            ),
          ),
      }),
      async ({ client, wallet }, { stage }) =>
        client.signAndSubmit(wallet, await stage.prepare(kind, client)),
    ),
  ),
  onNode(
    'that-lacks-the-mint',
    { code: 'MINT_NOT_BOUND' },
    () => ({
      getMultipleAccounts: (result) =>
        withValue(
          result,
          accountsIn(result).map((value, index) => (index === 1 ? null : value)),
        ),
    }),
    async ({ client, wallet }, { stage }) =>
      client.signAndSubmit(wallet, await stage.prepare('TRANSFER', client)),
  ),
  onNode(
    'on-which-the-blockhash-dies-meanwhile',
    { code: 'BLOCKHASH_INVALID', retryable: false },
    () => ({ isBlockhashValid: (result) => withValue(result, false) }),
    async ({ client, wallet }, { stage }) =>
      client.signAndSubmit(wallet, await stage.prepare('TRANSFER', client)),
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
  outcome('proves-absence', {
    forwards: false,
    onStep: die,
    expect: refused({ code: 'OPERATION_FAILED', context: { reason: 'NEVER_LANDED' } }),
  }),
  outcome('knows-the-status', {
    forwards: true,
    edits: lost('getTransaction', 'getSignaturesForAddress'),
    onStep: async (players) => {
      await land(players);
      await die(players);
    },
    expect: unknown,
  }),
  outcome('knows-the-memo', {
    forwards: true,
    edits: lost('getTransaction', 'getSignatureStatuses'),
    onStep: async (players) => {
      await land(players);
      await die(players);
    },
    expect: unknown,
  }),
  outcome('that-begins-later', {
    forwards: false,
    edits: (stage) => ({ getFirstAvailableBlock: () => stage.world.net.slot }),
    onStep: die,
    expect: unknown,
  }),
  outcome('whose-statuses-are-behind', {
    forwards: false,
    edits: () => ({ getSignatureStatuses: (result) => ({ ...(result as object), context: { slot: 1n } }) }),
    onStep: die,
    expect: unknown,
  }),
  outcome('that-remembers-after-one-look', {
    forwards: true,
    edits: lostFor(1),
    onStep: async (players) => {
      await land(players);
      await die(players);
      await players.stage.world.created.tick();
    },
    expect: resolved,
  }),
  outcome('that-remembers-the-status-after-one-look', {
    forwards: true,
    edits: () => ({ ...lostFor(1)(), getTransaction: () => null }),
    onStep: async (players) => {
      await land(players);
      await die(players);
    },
    expect: unknown,
  }),
  outcome('that-remembers-after-two-seconds', {
    forwards: true,
    edits: lostUntil(2_500),
    onStep: async (players) => {
      await land(players);
      await die(players);
      await players.stage.world.created.tick();
    },
    expect: resolved,
  }),
  outcome('that-shows-another-signature', {
    forwards: true,
    edits: showing((wire) => flipped(wire, 1)),
    onStep: land,
    expect: foreign,
  }),
  outcome('that-shows-another-fee-payer', {
    forwards: true,
    edits: showing((wire) => flipped(wire, FEE_PAYER)),
    onStep: land,
    expect: foreign,
  }),
  outcome('that-shows-another-memo-program', {
    forwards: true,
    edits: showing((wire) =>
      flipped(wire, placeOf(wire, new Uint8Array(getAddressEncoder().encode(MEMO_PROGRAM)))),
    ),
    onStep: land,
    expect: foreign,
  }),
  outcome('that-shows-no-transaction', {
    forwards: true,
    edits: showing((wire) => wire.slice(0, 70)),
    onStep: land,
    expect: foreign,
  }),
  outcome('that-shows-an-overlong-transaction', {
    forwards: true,
    edits: showing((wire) => Uint8Array.from([...wire, ...new Uint8Array(1_300)])),
    onStep: land,
    expect: foreign,
  }),
  // What follows is the service's word on an operation that this client did not sign.
  refusing('service-expires-another', { code: 'UNEXPECTED_RESPONSE' }, async (players) => {
    const { stage } = players;
    const through = saying((told) => ({
      ...expired(told),
      operationId: '00000000-0000-4000-8000-000000000000',
    }));
    const play = cast(players, { person: stage.holder, through: through! });
    const { operationId } = await stage.prepare('TRANSFER', play.client);
    return { play, call: play.client.waitForOperation(operationId) };
  }),
  refusing('service-expires-a-draft', { code: 'DRAFT_EXPIRED' }, async (players) => {
    const { stage } = players;
    const play = cast(players, { person: stage.holder, through: saying(expired)! });
    const { operationId } = await stage.prepareAnew(play.client);
    const waiting = pretend(stage, () => play.client.waitForOperation(operationId, { timeoutMs: 2_000 }));
    return { play, call: waiting.then(resolved) };
  }),
  // No credential, and none to come: the service can always refuse, and is not waited for.
  refusing('service-ends-a-verification', { code: 'VERIFICATION_FAILED' }, async (players) => {
    const verification = { sessionId: randomUUID(), state: 'FAILED', expiresAt: '1', failure: 'declined' };
    const through = saying((told) => ({ ...told, verification }), '/api/passport');
    const play = cast(players, { person: await players.stage.newcomer(), through: through! });
    return { play, call: play.client.waitForCredential({ timeoutMs: 5_000 }) };
  }),
  refusing('service-stale-after-reload', { code: 'OUTCOME_UNKNOWN' }, async (players) => {
    const { stage } = players;
    const refusal = { error: { code: 'INDEX_STALE', message: 'later', requestId: 'r' } };
    const through: Casting['through'] = () => async () => Response.json(refusal, { status: 503 });
    const play = cast(players, { person: stage.holder, through: through! });
    const id = '00000000-0000-4000-8000-000000000000';
    // Longer than the client tries again by itself.
    const waiting = pretend(stage, () => play.client.waitForOperation(id, { timeoutMs: 8_000 }));
    return { play, call: waiting.then(resolved) };
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
        await expect(play.client.signAndSubmit(play.wallet, prepared)).rejects.toMatchObject({
          code: 'OUTCOME_UNKNOWN',
        });
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

function withFlippedByte(account: unknown, byte: number): object {
  const { data } = account as { data: [string, string] };
  const bytes = flipped(new Uint8Array(getBase64Encoder().encode(data[0])), byte);
  return { ...(account as object), data: [getBase64Decoder().decode(bytes), 'base64'] };
}

function isCircuit(value: unknown): boolean {
  const data = (value as { data: [string, string] } | null)?.data[0];
  return data !== undefined && getBase64Encoder().encode(data)[0] === CIRCUIT_ACCOUNT_TYPE;
}
