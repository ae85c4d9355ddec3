/** What is played against the client besides the hostile modes. */
import type { PreparedOperation } from '@service/sdk';
import { errorOf } from '@service/test-support';
import { expect } from 'vitest';
import { type Casting, cast, type Play, type Players } from '../support/play.ts';

/** Something that the client must see through. */
export interface Case {
  readonly id: string;
  /** Whether it needs new instances of the modules. */
  readonly isFresh?: boolean;
  /** The code with which the client must reject it, if it is one. */
  readonly code?: string;
  /** Throws when the client does anything but what it must. */
  play(players: Players): Promise<void>;
}

/** The code of an error, or the members that it must have. */
export type Rejection =
  | string
  | {
      readonly code: string;
      readonly context?: object;
      readonly message?: unknown;
      readonly retryable?: boolean;
    };

export const invalidArgument = (field: string) => ({ code: 'INVALID_ARGUMENT', context: { field } });

export interface Options<Given = object> extends Partial<Casting> {
  /** How often the wallet is asked. @default 0 */
  readonly asks?: number;
  readonly isFresh?: boolean;
  /** Runs before the client is set up. Returns more of its set-up, and what else the call needs. */
  readonly setUp?: (players: Players) => Promise<Given & Partial<Casting>>;
}

/** A call that the client, by default the holder's, must reject. Nothing may be submitted or posted. */
export function rejecting<Given = object>(
  id: string,
  rejection: Rejection,
  call: (play: Play, players: Players, given: Given) => unknown,
  { asks = 0, isFresh = false, setUp, ...casting }: Options<Given> = {},
): Case {
  const expected = typeof rejection === 'string' ? { code: rejection } : rejection;
  return {
    id,
    isFresh,
    code: expected.code,
    async play(players) {
      const person = players.stage.holder;
      const given = await setUp?.(players);
      const play = cast(players, { person, ...casting, ...given });
      const error = await errorOf((async () => call(play, players, given as Given))());
      players.secrets.searchError(id, error);
      expect(error, id).toMatchObject({ name: 'ServiceError', ...expected });
      const { asked, submits, proofs } = play.traffic;
      expect([asked, submits, proofs], id).toEqual([asks, 0, 0]);
    },
  };
}

/** Awaits a step before the call that the client must reject. A rejection of this step fails the case. */
export async function ready<T>(step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (cause) {
    throw new Error('a step before the tested call failed', { cause });
  }
}

/** Checks that submitted bytes left the client once. They count no more, because the stage keeps them back. */
export function expectKeptBack({ traffic }: Play): void {
  expect(traffic.submits).toBe(1);
  traffic.submits = 0;
}

/** Signs operations at the same time. Throws the first error other than OUTCOME_UNKNOWN, if one left the client. */
export async function signAllAtOnce(play: Play, prepared: readonly PreparedOperation[]): Promise<void> {
  const all = await Promise.allSettled(prepared.map((each) => play.client.signAndSubmit(play.wallet, each)));
  expectKeptBack(play);
  for (const each of all) {
    if (each.status === 'rejected' && each.reason.code !== 'OUTCOME_UNKNOWN') throw each.reason;
  }
}
