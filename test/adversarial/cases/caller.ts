/** Callers that sign twice, sign copies, or pass invalid arguments. */
import type { Address } from '@solana/kit';
import { cast, type Play, type Players, pretend } from '../support/play.ts';
import { ORIGIN } from '../support/stage.ts';
import { MAINNET, ruleSet } from '../support/story.ts';
import {
  type Case,
  expectKeptBack,
  invalidArgument,
  type Rejection,
  rejecting,
  signAllAtOnce,
} from './case.ts';

const ALREADY_SIGNED = 'OPERATION_ALREADY_SIGNED';
const NO_RULE = '11111111111111111111111111111111' as Address;
const NO_OPERATION = '00000000-0000-4000-8000-000000000000';

const caller = (
  id: string,
  rejection: Rejection,
  call: (play: Play, players: Players) => unknown,
  asks = 0,
) => rejecting(`caller-${id}`, rejection, call, { asks });

/** A call of the client with one invalid argument. */
const invalid = (id: string, field: string, call: (client: Play['client'], play: Play) => unknown) =>
  caller(id, invalidArgument(field), (play) => call(play.client, play));

/** A request to prepare with one value that no operation can have. */
const outOfRange = (id: string, field: string, call: (prepare: Play['client']['prepare']) => unknown) =>
  caller(id, { code: 'INVALID_REQUEST', context: { field } }, ({ client }) => call(client.prepare));

/** A proof to post, which only its form makes right. */
const proof = { rule: NO_RULE, expiresAt: 1n, asOf: 1, proof: new Uint8Array(256) };

const deployment = (id: string, change: object) =>
  caller(`deployment-${id}`, 'INVALID_ARGUMENT', (_play, { stage, modules }) => {
    new modules.sdk.ServiceClient({ baseUrl: ORIGIN, deployment: { ...stage.deployment, ...change } });
  });

/** Signs a transfer. For the client it is under way, although the stage keeps it back. */
async function signOnce(play: Play, { stage }: Players) {
  const prepared = await stage.prepare('TRANSFER', play.client);
  await play.client.signAndSubmit(play.wallet, prepared).catch(() => undefined);
  expectKeptBack(play);
  return prepared;
}

/** A wait for an operation that this client signed. */
const afterSigning = (id: string, rejection: Rejection, options: (players: Players) => object) =>
  caller(
    id,
    rejection,
    async (play, players) => {
      const { operationId } = await signOnce(play, players);
      return play.client.waitForOperation(operationId, options(players));
    },
    1,
  );

/** Callers that the client must stop. */
export const CALLER_CASES: readonly Case[] = [
  caller(
    'names-another-cluster',
    { code: 'GENESIS_HASH_MISMATCH', context: { source: 'argument' } },
    ({ client, wallet }) => client.authenticate(wallet, MAINNET),
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
    ALREADY_SIGNED,
    async (play, players) => play.client.signAndSubmit(play.wallet, await signOnce(play, players)),
    1,
  ),
  caller(
    'signs-at-the-same-time',
    ALREADY_SIGNED,
    async (play, { stage }) => {
      const prepared = await stage.prepare('TRANSFER', play.client);
      await signAllAtOnce(play, [prepared, prepared]);
    },
    1,
  ),
  caller(
    'prepares-what-was-signed',
    ALREADY_SIGNED,
    async (play, players) => {
      await signOnce(play, players);
      return players.stage.prepare('TRANSFER', play.client);
    },
    1,
  ),
  caller('short-idempotency-key', 'IDEMPOTENCY_KEY_REQUIRED', ({ client }) =>
    client.prepare.createRuleSet(ruleSet(1n), { idempotencyKey: 'short' }),
  ),
  caller('malformed-request', 'INVALID_REQUEST', ({ client }) =>
    client.prepare.transfer({ mint: 'x', amount: 1n } as never),
  ),
  invalid('prepares-nothing', 'request', ({ prepare }) => prepare.transfer(undefined as never)),
  invalid('writes-without-a-wallet', 'wallet', (client) => client.transfer(undefined as never, {} as never)),
  invalid('proves-without-a-wallet', 'wallet', (client) =>
    client.prove(undefined as never, { rule: NO_OPERATION as never, witness: {} as never }),
  ),
  caller('proves-no-rule-set', invalidArgument('rule'), ({ client, wallet }, { stage }) =>
    client.prove(wallet, { rule: 'adults' as never, witness: stage.witness }),
  ),
  invalid('posts-a-proof-of-no-rule-set', 'rule', (client, { wallet }) =>
    client.prove(wallet, { rule: 'adults' as never, expiresAt: 1n, asOf: 1, proof: new Uint8Array(256) }),
  ),
  ...[1n, 2n ** 40n].map((maxPassAgeSeconds) =>
    outOfRange(`creates-passes-of-${maxPassAgeSeconds}-seconds`, 'maxPassAgeSeconds', (prepare) =>
      prepare.createRuleSet({ ...ruleSet(1n), maxPassAgeSeconds }),
    ),
  ),
  outOfRange('posts-a-list-as-a-proof', 'proof', (prepare) =>
    prepare.prove({ ...proof, proof: [...proof.proof] as never }),
  ),
  ...[0.5, -1, 2 ** 17].map((asOf) =>
    outOfRange(`posts-a-proof-as-of-${asOf}`, 'asOf', (prepare) => prepare.prove({ ...proof, asOf })),
  ),
  invalid('lists-with-no-options', 'options', (client) =>
    client
      .ruleSets(null as never)
      [Symbol.asyncIterator]()
      .next(),
  ),
  invalid('lists-pages-of-a-text', 'pageSize', (client) =>
    client
      .ruleSets({ pageSize: '5' as never })
      [Symbol.asyncIterator]()
      .next(),
  ),
  invalid('waits-for-no-operation', 'operationId', (client) => client.waitForOperation('1')),
  invalid('waits-from-no-time', 'preparedAt', (client) =>
    client.waitForOperation(NO_OPERATION, { preparedAt: 5 as never }),
  ),
  caller('waits-for-no-wallet', 'INVALID_ARGUMENT', ({ client }) =>
    client.waitForOperation(NO_OPERATION, { wallet: 'me' as never }),
  ),
  invalid('waits-for-no-signature', 'signature', (client) =>
    client.waitForOperation(NO_OPERATION, { signature: 'mine' as never }),
  ),
  afterSigning('waits-for-another-signature', invalidArgument('signature'), () => ({
    signature: '1'.repeat(64),
  })),
  afterSigning('waits-for-another-wallet', 'INVALID_ARGUMENT', ({ stage }) => ({
    wallet: stage.deployment.program,
  })),
  afterSigning('aborts-after-signing', 'OUTCOME_UNKNOWN', () => ({ signal: AbortSignal.abort() })),
  caller('waits-for-a-draft', 'OPERATION_NOT_SIGNED', async ({ client }, { stage }) => {
    const { operationId } = await stage.prepareNew(client);
    await pretend(stage, () => client.waitForOperation(operationId, { timeoutMs: 20_000 }));
  }),
  deployment('without-program', { program: 'x' }),
  deployment('with-a-path', { verifierOrigins: ['https://verifier.example/path'] }),
  deployment('with-no-origin', { verifierOrigins: ['verifier'] }),
];
