/** Proofs in places that the wallet cannot take, by the client and by a caller who makes the request without it. */
import { dateCodeAt } from '@service/protocol/eligibility';
import type { Address } from '@solana/kit';
import type { Players } from '../support/play.ts';
import type { Stage } from '../support/stage.ts';
import { type Case, rejecting } from './case.ts';

type Limited = Awaited<ReturnType<Stage['limited']>>;

const setUp = async ({ stage }: Players) => {
  const limited = await stage.limited();
  return { limited, person: limited.proving.person };
};

/** A `prove` from a witness that the client must refuse before it makes a proof. */
const proving = (
  id: string,
  code: string,
  request: (
    limited: Limited,
    stage: Stage,
  ) => { replaces?: Address; rule?: Address; person?: string } = () => ({}),
) =>
  rejecting(
    `place-${id}`,
    code,
    ({ client, wallet }, { stage }, { limited }: { limited: Limited }) => {
      const { person = stage.witness.person, ...changed } = request(limited, stage);
      const witness = { ...limited.proving.witness, person };
      return client.prove(wallet, { rule: limited.rule, witness, ...changed });
    },
    { setUp },
  );

interface Posted {
  /** The number of the place in the posted proof; null for a proof without a place. */
  readonly number?: number | null;
  /** The place whose tag is posted. @default the first */
  readonly tag?: 0 | 1;
  readonly replaces?: Address;
}

/** A posted proof that the service must refuse for its place, before it verifies the proof. */
const posting = (
  id: string,
  code: string,
  posted: (limited: Limited) => Posted,
  { by = 'proving' }: { by?: 'proving' | 'recent' } = {},
) =>
  rejecting(
    `place-posted-${id}`,
    code,
    async ({ client, traffic }, { stage }, { limited }: { limited: Limited }) => {
      const { tag = 0, number = tag, replaces } = posted(limited);
      const claim = number === null ? [] : [number, ...limited.tags[tag]!];
      const proof = Uint8Array.of(...new Uint8Array(256), ...claim);
      const now = BigInt(stage.world.net.time);
      const times = { expiresAt: now + 3_600n, asOf: dateCodeAt(now) };
      await client.prepare.prove({ rule: limited.rule, ...times, proof, replaces }).finally(() => {
        // The proof that the caller posts does not count.
        traffic.proofs = 0;
      });
    },
    {
      setUp: async (players) => {
        const { limited } = await setUp(players);
        return { limited, person: limited[by].person };
      },
    },
  );

const recentOf = ({ recent }: Limited) => recent.person.key.address;

export const PLACE_CASES: readonly Case[] = [
  proving('of-nobody-in-a-rule-set-without-a-limit', 'PLACE_NOT_IN_RULE_SET', (limited, { rule }) => ({
    rule,
    replaces: recentOf(limited),
  })),
  proving('of-another-person', 'WITNESS_INVALID', (limited) => ({
    person: `${2n ** 200n + 1n}`,
    replaces: recentOf(limited),
  })),
  // The places play no part where the rule set has none.
  proving('of-another-person-in-a-rule-set-without-a-limit', 'WITNESS_INVALID', (_limited, { rule }) => ({
    rule,
    person: `${2n ** 200n + 1n}`,
  })),
  proving('when-none-is-free', 'NO_PLACE_FREE'),
  proving('of-a-wallet-that-holds-none', 'PLACE_NOT_HELD', (_limited, { holder }) => ({
    replaces: holder.key.address,
  })),
  proving('within-the-hour', 'PLACE_TAKEN_TOO_SOON', (limited) => ({ replaces: recentOf(limited) })),
  proving('of-a-suspended-wallet', 'PLACE_HELD_BY_SUSPENDED', ({ suspended }) => ({ replaces: suspended })),
  rejecting(
    'place-of-the-wallet-itself',
    'PLACE_NOT_HELD',
    ({ client, wallet }, _players, { limited }: { limited: Limited }) =>
      client.prove(wallet, {
        rule: limited.rule,
        witness: limited.recent.witness,
        replaces: wallet.address as Address,
      }),
    {
      setUp: async (players) => {
        const { limited } = await setUp(players);
        return { limited, person: limited.recent.person };
      },
    },
  ),
  posting('without-one', 'PLACE_NOT_IN_RULE_SET', () => ({ number: null })),
  posting('beyond-the-limit', 'PLACE_NOT_IN_RULE_SET', () => ({ number: 2 })),
  posting('of-another-wallet', 'PLACE_TAKEN', () => ({})),
  posting('of-a-wallet-that-holds-another', 'PLACE_NOT_HELD', ({ suspended }) => ({ replaces: suspended })),
  posting('of-the-wallet-itself', 'PLACE_NOT_HELD', (limited) => ({ replaces: recentOf(limited) }), {
    by: 'recent',
  }),
  posting('within-the-hour', 'PLACE_TAKEN_TOO_SOON', (limited) => ({ replaces: recentOf(limited) })),
  posting('of-a-suspended-wallet', 'PLACE_HELD_BY_SUSPENDED', ({ suspended }) => ({
    tag: 1,
    replaces: suspended,
  })),
];
