/** What is played against the client beside the hostile modes. */
import { expect } from 'vitest';
import type { Play, Players } from '../support/play.ts';

/** Something that the client must see through. */
export interface Case {
  readonly id: string;
  /** Whether it needs modules that nothing was loaded with before. */
  readonly isFresh: boolean;
  /** What the client must answer with, where it is one code. */
  readonly code?: string;
  /** Throws when the client does anything but what it must. */
  play(players: Players): Promise<void>;
}

/** A case of one refusal, in which nothing is signed, submitted or posted. */
export function refusing(
  id: string,
  expected: {
    readonly code: string;
    readonly context?: object;
    readonly message?: unknown;
    readonly retryable?: boolean;
  },
  play: (players: Players) => Promise<{ play: Play; call: Promise<unknown> }>,
  { asks = 0, isFresh = false }: { asks?: number; isFresh?: boolean } = {},
): Case {
  return {
    id,
    isFresh,
    code: expected.code,
    async play(players) {
      const { play: played, call } = await play(players);
      const error: unknown = await call.then(
        () => new Error(`${id}: nothing was refused`),
        (thrown: unknown) => thrown,
      );
      players.secrets.searchError(id, error);
      expect(error, id).toMatchObject({ name: 'ServiceError', ...expected });
      expect([played.traffic.asked, played.traffic.submits, played.traffic.proofs], id).toEqual([asks, 0, 0]);
    },
  };
}
