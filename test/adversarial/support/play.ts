/** A client on the stage: what leaves it, what its wallet is asked, and time that passes only when the test says so. */
import assert from 'node:assert/strict';
import type { PlainWallet } from '@service/sdk';
import { untilIdle } from '@service/test-support/under-way';
import type { HostileFetch } from '@service/testing';
import { getBase58Decoder, getBase64Decoder, signBytes } from '@solana/kit';
import { vi } from 'vitest';
import { changedResponses } from '../../support/changed-responses.ts';
import type { Edits } from '../../support/node.ts';
import type { SweepMode } from '../sweep/row.ts';
import type { Secrets } from './secrets.ts';
import { ORIGIN, type Person, type Stage } from './stage.ts';

/** The modules under test. A case can need new instances of them. */
export interface Modules {
  readonly sdk: typeof import('@service/sdk');
  readonly testing: typeof import('@service/testing');
}

/** What a case is played with. */
export interface Players {
  readonly stage: Stage;
  readonly secrets: Secrets;
  readonly modules: Modules;
}

/** How often the wallet was asked, and how many requests of a kind left the client. */
interface Traffic {
  asked: number;
  signIns: number;
  submits: number;
  proofs: number;
}

/** A client on the stage, its wallet, and what left it. */
export type Play = ReturnType<typeof cast>;

/** What a play is set up with. */
export interface Casting {
  /** How the service tampers. @default not at all */
  readonly mode?: SweepMode;
  readonly person: Person;
  readonly at?: number;
  /** Whether the person is signed in already. @default true */
  readonly isSignedIn?: boolean;
  /** Whether signed bytes may reach the service. @default false */
  readonly forwards?: boolean;
  readonly deployment?: Partial<Stage['deployment']>;
  /** Returns changes of what the client's node returns. */
  readonly edits?: (stage: Stage, traffic: Traffic) => Edits;
  /** Changes what the service returns about operations. */
  readonly records?: (record: Record<string, unknown>) => object;
  /** Wraps the function that leads from the client to the service. */
  readonly through?: (fetch: typeof globalThis.fetch) => typeof globalThis.fetch;
}

/** Sets a client up. */
export function cast({ stage, secrets, modules }: Players, casting: Casting) {
  const { mode, person, at = 0, isSignedIn = true, forwards = false, edits, records } = casting;
  const { clock, net } = stage.world;
  vi.setSystemTime(clock.ms);
  // Earlier cases let the service's time pass, and the chain's must agree with it.
  net.setTime(Math.max(net.time, Math.floor(clock.ms / 1_000)));
  const traffic: Traffic = { asked: 0, signIns: 0, submits: 0, proofs: 0 };
  const service = stage.service(isSignedIn ? person.cookie : undefined);
  const guarded: typeof fetch = (input, init) => {
    const request = new Request(input, init);
    // Without this, a missing check could change the stage for the cases that follow.
    const isSubmit = request.url.endsWith('/api/transactions/submit');
    if (isSubmit && !forwards) return Promise.resolve(new Response(null, { status: 500 }));
    return service(request);
  };
  const changed = records ? changedResponses(guarded, records) : guarded;
  const wrapped = casting.through?.(changed) ?? changed;
  const hostile = mode
    ? modules.testing.hostileFetch({ start: () => mode.start(at) }, wrapped)
    : (Object.assign(wrapped, { tampered: 0 }) as HostileFetch);
  const client = new modules.sdk.ServiceClient({
    deployment: { ...stage.deployment, ...casting.deployment },
    baseUrl: ORIGIN,
    rpc: stage.node(edits?.(stage, traffic)),
    fetch: (input, init) => {
      const request = new Request(input, init);
      const { pathname } = new URL(request.url);
      if (pathname === '/api/transactions/submit') traffic.submits += 1;
      if (pathname === '/api/auth/verify') traffic.signIns += 1;
      if (pathname === '/api/proofs') traffic.proofs += 1;
      return hostile(request);
    },
    retry: mode?.category === 'transport' ? { limit: 1, timeoutMs: 150 } : {},
  });
  const phases = new Set<string>();
  return { client, wallet: walletOf(person, traffic, secrets), fetch: hostile, traffic, phases };
}

/** Creates a wallet that signs everything, counts, and adds its signatures to the secrets. */
function walletOf({ key }: Person, traffic: Traffic, secrets: Secrets): PlainWallet {
  const sign = async (bytes: Uint8Array) => {
    traffic.asked += 1;
    const signature = await signBytes(key.keyPair.privateKey, bytes);
    secrets.add('signature', getBase58Decoder().decode(signature));
    secrets.add('signature', getBase64Decoder().decode(signature).slice(0, 84));
    secrets.add('signature', Buffer.from(signature).toString('hex'));
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

/** The result of a call. */
export type Result = { readonly value: unknown } | { readonly error: unknown };

export async function resultOf(call: () => Promise<unknown>): Promise<Result> {
  try {
    return { value: await call() };
  } catch (error) {
    return { error };
  }
}

const STEP_MS = 1_000;
/** Pretended time after which an outcome that is not proven is unknown. */
export const TIMEOUT_MS = 20_000;

interface PretendOptions {
  /** Whether time may pass yet. */
  readonly mayPass?: () => boolean;
  /** Runs once, after a second of pretended time. */
  readonly onStep?: (() => Promise<unknown>) | undefined;
}

/** Runs a call while pretended time passes, except while a request or a computation is under way. */
export async function pretend<T>(
  stage: Stage,
  call: () => Promise<T>,
  { mayPass = () => true, onStep }: PretendOptions = {},
): Promise<T> {
  vi.useFakeTimers({
    toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'],
    now: stage.world.clock.ms,
  });
  try {
    let isOver = false;
    const result = call().finally(() => {
      isOver = true;
    });
    result.catch(() => undefined);
    let passed = 0;
    let step = onStep;
    while (!isOver) {
      // Loading a module takes real time too.
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
    return await result;
  } finally {
    vi.useFakeTimers({ toFake: ['Date', 'performance'], now: stage.world.clock.ms });
  }
}
