/** A client on the stage: what leaves it, what its wallet is asked, and time that passes only when the test says so. */
import assert from 'node:assert/strict';
import type { PlainWallet, ServiceClient } from '@service/sdk';
import { untilIdle } from '@service/test-support/under-way';
import type { HostileFetch, HostileMode } from '@service/testing';
import { getBase64Decoder } from '@solana/kit';
import { vi } from 'vitest';
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

const STEP_MS = 1_000;
/** Of pretended time; what is not proven by then is not known. */
export const TIMEOUT_MS = 20_000;

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
