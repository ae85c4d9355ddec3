/** Plays one hostile mode with the real service, and checks what the client does. */
import assert from 'node:assert/strict';
import { OPERATION_KINDS, type OperationKind } from '@service/contract';
import { programAddresses } from '@service/protocol';
import { send } from '@service/server/test-service';
import { callsTo } from '@service/test-support';
import { type Address, address } from '@solana/kit';
import { expect } from 'vitest';
import type { SweepMode } from '../sweep/row.ts';
import { cast, type Play, type Players, pretend, type Result, resultOf, TIMEOUT_MS } from './play.ts';
import { ORIGIN } from './stage.ts';
import { createsRuleSet, land, ruleSet } from './story.ts';

const AGAIN = 'prepare-operation-again';
const NOWHERE: Address = address('SysvarRent111111111111111111111111111111111');

/** Which places of a mode are played. */
export interface PlayOptions {
  /** @default every kind that the mode works on */
  readonly kinds?: readonly OperationKind[];
  /** Whether a mode of accounts changes each account in turn, or only the first. */
  readonly everyAccount?: boolean;
}

/** Returns the operation kinds that a mode is played with: none, if it attacks another call. */
export const kindsOf = ({ call, kinds = OPERATION_KINDS }: SweepMode): readonly OperationKind[] =>
  call === 'signAndSubmit' || call === 'prepare' ? kinds : [];

/** Plays a mode; throws AssertionError when the client does anything but what the mode says. */
export async function playMode(players: Players, mode: SweepMode, options: PlayOptions = {}): Promise<void> {
  const kinds = kindsOf(mode).filter((kind) => options.kinds?.includes(kind) ?? true);
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
  mode: SweepMode,
  play: Play,
  call: () => Promise<unknown>,
): Promise<boolean> {
  for (let turn = 0; turn < 2; turn += 1) {
    const tampered = play.fetch.tampered;
    const before = { ...play.traffic };
    const result = await resultOf(call);
    if (play.fetch.tampered === tampered) {
      // An honest response: a mode that needs an earlier request has one now.
      if (mode.category === 'prepare' && mode.id !== AGAIN) return false;
      if ('error' in result && mode.id !== AGAIN) throw result.error;
      continue;
    }
    expectAnswer(players, mode, result);
    const isSignIn = ['authenticate', 'passport', 'session'].includes(mode.call);
    const isAsked = isSignIn && mode.category !== 'sign-in';
    const mayAsk = mode.code === null || isAsked || mode.id === 'sign-in-as-another' ? 1 : 0;
    const asked = play.traffic.asked - before.asked;
    assert.ok(asked <= mayAsk, `${mode.id}: the wallet was asked`);
    assert.equal(play.traffic.submits, before.submits, `${mode.id}: a submission left`);
    if (mode.call === 'prove') assert.equal(play.traffic.proofs, before.proofs, `${mode.id}: a proof left`);
    for (const phase of ['prover', 'witness', 'proof']) {
      assert.ok(!play.phases.has(phase), `${mode.id}: a proof was started`);
    }
    return true;
  }
  return false;
}

function expectAnswer({ secrets }: Players, mode: SweepMode, result: Result): void {
  if (mode.code === null) {
    if ('error' in result) throw result.error;
    return;
  }
  assert.ok('error' in result, `${mode.id}: the client accepted it`);
  const { error } = result;
  secrets.searchError(mode.id, error);
  const { name, code, context } = error as { name?: string; code?: string; context?: object };
  assert.equal(name, 'ServiceError', `${mode.id}: ${String(error)}`);
  assert.equal(code, mode.code, `${mode.id}: ${String(error)}`);
  if (mode.context) expect(context, mode.id).toMatchObject(mode.context);
}

async function playPrepare(
  players: Players,
  mode: SweepMode,
  kind: OperationKind,
  { everyAccount = false }: PlayOptions,
): Promise<void> {
  const { stage } = players;
  for (let at = 0; at === 0 || everyAccount; at += 1) {
    const play = cast(players, { mode, person: stage.holder, at });
    const { client, wallet } = play;
    let isFirst = true;
    const hasTampered = await untilTampered(players, mode, play, async () => {
      // The service returns the first operation, which was signed, for the second request.
      const isSecond = mode.id === AGAIN && !isFirst;
      const prepared = isSecond
        ? await client.prepare.createRuleSet(ruleSet(9n))
        : await stage.prepare(kind, client);
      const signs = mode.call === 'signAndSubmit' || (mode.id === AGAIN && isFirst);
      isFirst = false;
      if (signs) await client.signAndSubmit(wallet, prepared);
    });
    if (!hasTampered) {
      assert.ok(at > 0, `${mode.id} (${kind}): the service did not tamper`);
      return;
    }
    if (!mode.isOfAccounts) return;
  }
}

/** Plays the calls that read, or begin with a read. */
async function playRead(players: Players, mode: SweepMode): Promise<void> {
  const { stage, modules } = players;
  const { deployment, rule, witness } = stage;
  const hasNoCredential = mode.id === 'reads-made-up-credential';
  const isRevoked = mode.id === 'reads-revoked-shown-live';
  const person = hasNoCredential || isRevoked ? await stage.newcomer() : stage.holder;
  if (isRevoked) await stage.accredit(person.key.address);
  const isSignedIn = mode.call !== 'authenticate' && mode.call !== 'passport';
  const play = cast(players, { mode, person, isSignedIn });
  const { client, wallet, phases } = play;
  let turn = 0;
  const calls: Partial<Record<SweepMode['call'], () => Promise<unknown>>> = {
    authenticate: () => client.authenticate(wallet, deployment.genesisHash),
    session: () => client.session(),
    config: () => client.config(),
    passport: async () => {
      await client.authenticate(wallet, deployment.genesisHash);
      return client.passport();
    },
    startVerification: () => client.startVerification({ returnUrl: `${ORIGIN}/verified` }),
    waitForCredential: () => client.waitForCredential({ timeoutMs: 1_500 }),
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

/** Plays a service that tampers with the outcome after signed bytes have left. */
async function playOutcome(players: Players, mode: SweepMode): Promise<void> {
  const { stage } = players;
  const { world } = stage;
  const person = await stage.newcomer();
  const { client, wallet, traffic, fetch } = cast(players, { mode, person, forwards: true });
  const fails = mode.code === 'OPERATION_FAILED';
  const lands = mode.code === null || fails;
  const onStep = async () => {
    // The address is taken before the operation lands.
    if (fails) await send(world, person.key, [await createsRuleSet(players, wallet.address as Address, 7n)]);
    await land(players);
  };
  const write = () => client.createRuleSet(wallet, ruleSet(7n), { timeoutMs: TIMEOUT_MS });
  // Before the bytes leave, keys and signatures are computed in real time.
  const options = { mayPass: () => traffic.submits > 0, onStep: lands ? onStep : undefined };
  const result = await resultOf(() => pretend(stage, write, options));
  expectAnswer(players, mode, result);
  assert.ok(fetch.tampered > 0, `${mode.id}: the service did not tamper`);
  assert.deepEqual([traffic.asked, traffic.submits], [1, 1], `${mode.id}: signed or sent again`);
  if (!('value' in result)) return;
  const { rule, slot, signature } = result.value as { rule: Address; slot: bigint; signature: string };
  const { transactionOf } = callsTo(world.net);
  const landed = await transactionOf(signature as never, 'finalized');
  assert.equal(slot, landed?.slot, `${mode.id}: the slot is not the chain’s`);
  assert.equal(rule, await programAddresses(world.program).ruleSet(person.key.address, 7n), mode.id);
}

/** Plays a reload: one of two operations is final, and the service tampers with the other. */
async function playReload(players: Players, mode: SweepMode): Promise<void> {
  const { stage } = players;
  const person = await stage.newcomer();
  const before = cast(players, { mode, person, forwards: true });
  const first = await before.client.prepare.createRuleSet(ruleSet(1n));
  await before.client.signAndSubmit(before.wallet, first);
  await stage.world.created.tick();
  await stage.world.finalize();
  const second = await before.client.prepare.createRuleSet(ruleSet(2n));

  const { client, wallet, traffic, fetch } = cast(players, { mode, person, isSignedIn: false });
  const wait = (operationId: string) =>
    pretend(stage, () => client.waitForOperation(operationId, { timeoutMs: TIMEOUT_MS }));
  await client.authenticate(wallet, stage.deployment.genesisHash);
  await wait(first.operationId);
  assert.equal(fetch.tampered, 0, mode.id);
  const result = await resultOf(() => wait(second.operationId));
  assert.ok(fetch.tampered > 0, `${mode.id}: the service did not tamper`);
  expectAnswer(players, mode, result);
  const signed = [traffic.asked, traffic.submits];
  assert.deepEqual(signed, [1, 0], `${mode.id}: more than the sign-in was signed`);
}
