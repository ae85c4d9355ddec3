/** Plays one hostile mode in front of the real service, and checks how the client reacts. */
import assert from 'node:assert/strict';
import { clauseMasks, OPERATION_KINDS, type OperationKind } from '@service/contract';
import { createRuleSetInstruction, programAddresses } from '@service/protocol';
import type { PlainWallet, ServiceClient } from '@service/sdk';
import { send } from '@service/test-support/service';
import { untilIdle } from '@service/test-support/under-way';
import type { HostileFetch, HostileMode } from '@service/testing';
import { type Address, address, getBase64Decoder } from '@solana/kit';
import { expect, vi } from 'vitest';
import type { Secrets } from './secrets.ts';
import { formsOf, ORIGIN, type Person, type Stage } from './stage.ts';

/** What the modes need of the modules under test, which can be loaded afresh. */
export interface Modules {
  readonly sdk: typeof import('@service/sdk');
  readonly testing: typeof import('@service/testing');
}

/** Who plays a mode. */
export interface Players {
  readonly stage: Stage;
  readonly secrets: Secrets;
  readonly modules: Modules;
}

/** What left the client and what the wallet was asked, since it was last looked at. */
interface Traffic {
  asked: number;
  submits: number;
  proofs: number;
}

/** A client on the stage, with what leaves it and what its wallet is asked. */
export interface Play {
  readonly client: ServiceClient;
  readonly wallet: PlainWallet;
  readonly fetch: HostileFetch;
  readonly traffic: Traffic;
  readonly phases: Set<string>;
}

const AGAIN = 'prepare-operation-again';
const NOWHERE: Address = address('SysvarRent111111111111111111111111111111111');

/** What a play is set up with. */
export interface Casting {
  /** How the service tampers. @default not at all */
  readonly mode?: HostileMode;
  readonly person: Person;
  readonly at?: number;
  /** Whether the person is signed in already. @default true */
  readonly isSignedIn?: boolean;
  /** Whether signed bytes may reach the service. @default false */
  readonly forwards?: boolean;
  /** @default that of the stage */
  readonly rpc?: Stage['rpc'];
  readonly deployment?: Partial<Stage['deployment']>;
  /** Is called between the client and the service. */
  readonly through?: (fetch: typeof globalThis.fetch) => typeof globalThis.fetch;
}

/** Sets a client up. */
export function cast({ stage, secrets, modules }: Players, casting: Casting): Play {
  const { mode, person, at = 0, isSignedIn = true, forwards = false } = casting;
  vi.setSystemTime(stage.world.clock.ms);
  const traffic: Traffic = { asked: 0, submits: 0, proofs: 0 };
  const service = stage.service(isSignedIn ? person.cookie : undefined);
  const guarded: typeof fetch = (input, init) => {
    const request = new Request(input, init);
    // A check that is missing must not do harm to what the next mode is played on.
    const isSubmit = new URL(request.url).pathname === '/api/transactions/submit';
    if (isSubmit && !forwards) return Promise.resolve(new Response(null, { status: 500 }));
    return service(request);
  };
  const { through = (fetch) => fetch } = casting;
  const hostile = mode
    ? modules.testing.hostileFetch(mode, through(guarded), { at })
    : (Object.assign(through(guarded), { tampered: 0 }) as HostileFetch);
  const client = new modules.sdk.ServiceClient({
    deployment: { ...stage.deployment, ...casting.deployment },
    baseUrl: ORIGIN,
    rpc: (casting.rpc ?? stage.rpc) as never,
    fetch: (input, init) => {
      const request = new Request(input, init);
      const { pathname } = new URL(request.url);
      if (pathname === '/api/transactions/submit') traffic.submits += 1;
      if (pathname === '/api/proofs') traffic.proofs += 1;
      return hostile(request);
    },
    retry: mode?.category === 'transport' ? { limit: 1, timeoutMs: 150 } : {},
  });
  return { client, wallet: walletOf(person, traffic, secrets), fetch: hostile, traffic, phases: new Set() };
}

/** A wallet that signs whatever it is given, counts, and tells its signatures as secrets. */
function walletOf({ key }: Person, traffic: Traffic, secrets: Secrets): PlainWallet {
  const sign = async (bytes: Uint8Array) => {
    traffic.asked += 1;
    const signature = new Uint8Array(
      await crypto.subtle.sign('Ed25519', key.keyPair.privateKey, bytes as never),
    );
    for (const form of formsOf(signature)) secrets.add('signature', form);
    return signature;
  };
  return {
    address: key.address,
    signMessage: sign,
    async signTransaction(wire) {
      const signed = wire.slice();
      signed.set(await sign(wire.slice(65)), 1);
      secrets.add('signature', getBase64Decoder().decode(signed).slice(0, 80));
      return signed;
    },
  };
}

/** What a call came to. */
export type Result = { readonly value: unknown } | { readonly error: unknown };

export async function resultOf(call: () => Promise<unknown>): Promise<Result> {
  try {
    return { value: await call() };
  } catch (error) {
    return { error };
  }
}

/** Which places of a mode are played. */
export interface PlayOptions {
  /** @default every kind that the mode works on */
  readonly kinds?: readonly OperationKind[];
  /** Whether a mode of accounts changes each account in turn, or only the first. */
  readonly everyAccount?: boolean;
}

/** Plays a mode; throws AssertionError when the client does anything but what the mode says. */
export async function playMode(
  players: Players,
  mode: HostileMode,
  options: PlayOptions = {},
): Promise<void> {
  const kinds = (mode.kinds ?? OPERATION_KINDS).filter((kind) => options.kinds?.includes(kind) ?? true);
  switch (mode.call) {
    case 'signAndSubmit':
    case 'prepare':
      for (const kind of kinds) await playPrepare(players, mode, kind, options);
      return;
    case 'createRuleSet':
      return playOutcome(players, mode);
    case 'waitForOperation':
      return playReload(players, mode);
    default:
      return playRead(players, mode);
  }
}

/** Plays until the service has tampered, and checks the result. */
async function untilTampered(
  players: Players,
  mode: HostileMode,
  play: Play,
  call: () => Promise<unknown>,
): Promise<boolean> {
  for (let turn = 0; turn < 2; turn += 1) {
    const tampered = play.fetch.tampered;
    const before = { ...play.traffic };
    const result = await resultOf(call);
    if (play.fetch.tampered === tampered) {
      // The truth: a mode that needs a past has one now.
      if (mode.category === 'prepare' && mode.id !== AGAIN) return false;
      if ('error' in result && mode.id !== AGAIN) throw result.error;
      continue;
    }
    expectAnswer(players, mode, result);
    const isSignIn = mode.call === 'authenticate' || mode.call === 'passport' || mode.call === 'session';
    const mayAsk =
      mode.code === null || (isSignIn && mode.category !== 'sign-in') || mode.id === 'sign-in-as-another'
        ? 1
        : 0;
    const asked = play.traffic.asked - before.asked;
    assert.ok(asked <= mayAsk, `${mode.id}: the wallet was asked`);
    assert.equal(play.traffic.submits, before.submits, `${mode.id}: a submission left`);
    if (mode.call === 'prove') assert.equal(play.traffic.proofs, before.proofs, `${mode.id}: a proof left`);
    for (const phase of ['prover', 'witness', 'proof']) {
      assert.ok(!play.phases.has(phase), `${mode.id}: a proof was begun`);
    }
    return true;
  }
  return false;
}

function expectAnswer({ secrets }: Players, mode: HostileMode, result: Result): void {
  if (mode.code === null) {
    if ('error' in result) throw result.error;
    return;
  }
  assert.ok('error' in result, `${mode.id}: the client believed it`);
  const { error } = result;
  secrets.searchError(mode.id, error);
  const { name, code, context } = error as { name?: string; code?: string; context?: object };
  assert.equal(name, 'ServiceError', `${mode.id}: ${String(error)}`);
  assert.equal(code, mode.code, `${mode.id}: ${String(error)}`);
  if (mode.context) expect(context, mode.id).toMatchObject(mode.context);
}

/** Modes that can change each account in turn. */
const OF_ONE_ACCOUNT = new Set([
  'prepare-account-replaced',
  'prepare-account-writable-flag',
  'prepare-account-signer-flag',
  'prepare-accounts-swapped',
]);

async function playPrepare(
  players: Players,
  mode: HostileMode,
  kind: OperationKind,
  { everyAccount = false }: PlayOptions,
): Promise<void> {
  const { stage } = players;
  for (let at = 0; at === 0 || everyAccount; at += 1) {
    const play = cast(players, { mode, person: stage.holder, at });
    const { client, wallet } = play;
    let signsFirst = mode.id === AGAIN;
    const hasTampered = await untilTampered(players, mode, play, async () => {
      const prepared = signsFirst
        ? await stage.prepare(kind, client)
        : mode.id === AGAIN
          ? await client.prepare.createRuleSet({
              name: 'Another',
              clauses: [{ regions: ['FR'], statuses: ['retail'], minAge: 18 }],
              maxPassAgeSeconds: 86_400n,
            })
          : await stage.prepare(kind, client);
      const signs = mode.call === 'signAndSubmit' || signsFirst;
      signsFirst = false;
      if (signs) await client.signAndSubmit(wallet, prepared);
    });
    if (!hasTampered) {
      assert.ok(at > 0, `${mode.id} (${kind}): the service did not tamper`);
      return;
    }
    if (!OF_ONE_ACCOUNT.has(mode.id)) return;
  }
}

/** The calls that read, or begin with reading. */
async function playRead(players: Players, mode: HostileMode): Promise<void> {
  const { stage, modules } = players;
  const { deployment, rule, witness } = stage;
  const needsNone = mode.id === 'reads-made-up-credential';
  const isRevoked = mode.id === 'reads-revoked-shown-live';
  const person = needsNone || isRevoked ? await stage.newcomer() : stage.holder;
  if (isRevoked) await stage.accredit(person.key.address);
  const isSignedIn = mode.call !== 'authenticate' && mode.call !== 'passport';
  const play = cast(players, { mode, person, isSignedIn });
  const { client, wallet, phases } = play;
  let turn = 0;
  const calls: Partial<Record<HostileMode['call'], () => Promise<unknown>>> = {
    authenticate: () => client.authenticate(wallet, deployment.genesisHash),
    session: () => client.session(),
    config: () => client.config(),
    passport: async () => {
      await client.authenticate(wallet, deployment.genesisHash);
      return client.passport();
    },
    startVerification: () => client.startVerification({ returnUrl: `${ORIGIN}/verified` }),
    waitForCredential: () => client.waitForCredential({ timeoutMs: 100 }),
    ruleSets: async () => {
      const seen = [];
      for await (const each of client.ruleSets({ pageSize: 1 })) {
        if (seen.push(each) > 20) throw new Error('the list does not end');
      }
    },
    proofContext: async () => {
      if (isRevoked && turn++ > 0) await stage.revoke(person.key.address);
      return client.proofContext({ rule: mode.id === 'reads-made-up-rule' ? NOWHERE : rule });
    },
    prove: () =>
      client.prove(wallet, { rule, witness }, { onProgress: ({ phase }) => void phases.add(phase) }),
    'artifacts.load': () =>
      modules.sdk
        .artifactsFrom({
          digest: deployment.artifactsDigest,
          url: `${ORIGIN}/artifacts`,
          fetch: play.fetch as typeof fetch,
          stallTimeoutMs: 60,
        })
        .load(),
  };
  const hasTampered = await untilTampered(players, mode, play, calls[mode.call]!);
  assert.ok(hasTampered, `${mode.id}: the service did not tamper`);
}

const STEP_MS = 1_000;
/** Of pretended time; what is not proven by then is not known. */
const TIMEOUT_MS = 20_000;

interface PretendOptions {
  /** Whether time may pass yet. */
  readonly mayPass?: () => boolean;
  /** Done once, on the way. */
  readonly onStep?: (() => Promise<void>) | undefined;
}

/** Lets pretended time pass while nothing is asked, until a call has come to its end; `onStep` once, on the way. */
export async function pretend(
  stage: Stage,
  call: () => Promise<unknown>,
  { mayPass = () => true, onStep }: PretendOptions = {},
): Promise<Result> {
  vi.useFakeTimers({
    toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'],
    now: stage.world.clock.ms,
  });
  try {
    let result: Result | undefined;
    void resultOf(call).then((settled) => (result = settled));
    let passed = 0;
    let step = onStep;
    while (!result) {
      // A module that is still being loaded takes real time too.
      await vi.dynamicImportSettled();
      await untilIdle(stage.underWay);
      if (!mayPass()) continue;
      if (step && passed >= STEP_MS) {
        const due = step;
        step = undefined;
        await due();
        continue;
      }
      passed += 200;
      assert.ok(passed < 10 * TIMEOUT_MS, 'the call does not end');
      await vi.advanceTimersByTimeAsync(200);
    }
    return result;
  } finally {
    vi.useFakeTimers({ toFake: ['Date'], now: stage.world.clock.ms });
  }
}

/** Signed bytes leave; then the service tampers with their outcome. */
async function playOutcome(players: Players, mode: HostileMode): Promise<void> {
  const { stage } = players;
  const { world } = stage;
  const person = await stage.newcomer();
  const play = cast(players, { mode, person, forwards: true });
  const { client, wallet, traffic } = play;
  const clauses = [{ regions: ['FR'], statuses: ['retail'], minAge: 18 }] as const;
  const request = { name: 'Adults', nonce: 7n, clauses, maxPassAgeSeconds: 86_400n };
  const fails = mode.code === 'OPERATION_FAILED';
  const lands = mode.code === null || fails || mode.code === 'INDEX_STALE';
  const onStep = async () => {
    if (fails) {
      // The address is taken before the operation gets there.
      const intent = {
        kind: 'CREATE_RULE_SET',
        wallet: person.key.address,
        ...request,
        clauses: clauses.map(clauseMasks),
      } as const;
      await send(world, person.key, [await createRuleSetInstruction(world.program, intent)]);
    }
    await world.created.tick();
    await world.finalize();
    await world.created.tick();
  };
  const result = await pretend(
    stage,
    () => client.createRuleSet(wallet, request, { timeoutMs: TIMEOUT_MS }),
    // What happens before the bytes leave takes real time: keys are derived, signatures made.
    { mayPass: () => traffic.submits > 0, onStep: lands ? onStep : undefined },
  );
  expectAnswer(players, mode, result);
  assert.ok(play.fetch.tampered > 0, `${mode.id}: the service did not tamper`);
  assert.deepEqual([traffic.asked, traffic.submits], [1, 1], `${mode.id}: signed or sent again`);
  if (!('value' in result)) return;
  const { rule, slot, signature } = result.value as { rule: Address; slot: bigint; signature: string };
  const landed = await stage.rpc
    .getTransaction(signature as never, {
      commitment: 'finalized',
      encoding: 'base64',
      maxSupportedTransactionVersion: 0,
    })
    .send();
  assert.equal(slot, landed?.slot, `${mode.id}: the slot is not the chain’s`);
  assert.equal(rule, await programAddresses(world.program).ruleSet(person.key.address, 7n), mode.id);
}

/** After a page load: two operations, one of them final, and a service that tampers with the other. */
async function playReload(players: Players, mode: HostileMode): Promise<void> {
  const { stage, modules } = players;
  const person = await stage.newcomer();
  const before = cast(players, { mode, person, forwards: true });
  const clauses = [{ regions: ['FR'], statuses: ['retail'], minAge: 18 }] as const;
  const create = (nonce: bigint) =>
    before.client.prepare.createRuleSet({ name: 'Adults', nonce, clauses, maxPassAgeSeconds: 86_400n });
  const first = await create(1n);
  await before.client.signAndSubmit(before.wallet, first);
  await stage.world.created.tick();
  await stage.world.finalize();
  const second = await create(2n);

  const play = cast(players, { mode, person, isSignedIn: false });
  const wait = (operationId: string) => () =>
    play.client.waitForOperation(operationId, { timeoutMs: TIMEOUT_MS });
  await play.client.authenticate(play.wallet, stage.deployment.genesisHash);
  const truth = await pretend(stage, wait(first.operationId));
  if ('error' in truth) throw truth.error;
  assert.equal(play.fetch.tampered, 0, mode.id);
  const result = await pretend(stage, wait(second.operationId));
  assert.ok(play.fetch.tampered > 0, `${mode.id}: the service did not tamper`);
  expectAnswer(players, mode, result);
  assert.deepEqual(
    [play.traffic.asked, play.traffic.submits],
    [1, 0],
    `${mode.id}: more than the sign-in was signed`,
  );
  void modules;
}
