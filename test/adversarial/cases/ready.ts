/** Operations and challenges that were made ready before the click, and what changes before the wallet is asked or answers. */
import type { PreparedOperation } from '@service/sdk';
import { expect, vi } from 'vitest';
import { changedResponses } from '../../support/changed-responses.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { withValue } from '../../support/node.ts';
import { type Casting, cast, type Play, type Players } from '../support/play.ts';
import { bytesOf, changingAccounts } from '../support/story.ts';
import { modeOf } from '../sweep/index.ts';
import { type Case, expectKeptBack, type Options, ready, rejecting } from './case.ts';

/** Lets time pass on the client's clock until some seconds after the start of the case. */
const setClock = ({ stage }: Players, seconds: number) =>
  vi.advanceTimersByTime(stage.world.clock.ms + seconds * 1_000 - Date.now());

/** Signs a transfer that was made ready before a change. */
const signsAfter = (
  id: string,
  code: string,
  change: (play: Play, players: Players) => unknown,
  options?: Options,
) =>
  rejecting(
    `ready-${id}`,
    code,
    async (play, players) => {
      const prepared = await ready(players.stage.prepareNew(play.client));
      await ready(play.client.ready(prepared));
      await change(play, players);
      return play.client.signAndSubmit(play.wallet, prepared);
    },
    options,
  );

/** Does something with the first of two transfers that are ready, then signs the second one. */
const signsSecond = (
  id: string,
  first: (play: Play, prepared: PreparedOperation) => Promise<unknown>,
  asks: number,
) =>
  rejecting(
    `ready-${id}`,
    'SIGNED_OPERATION_PENDING',
    async (play, { stage }) => {
      const both = [await stage.prepareNew(play.client), await stage.prepareNew(play.client)] as const;
      for (const each of both) await ready(play.client.ready(each));
      await first(play, both[0]);
      return play.client.signAndSubmit(play.wallet, both[1]);
    },
    { asks },
  );

const isWallet = (account: Parameters<typeof bytesOf>[0] | null) =>
  account !== null && bytesOf(account).length === 0;

/** A wallet that has no SOL from some moment on. */
const poorOnce =
  (isPoor: (traffic: Play['traffic']) => boolean): NonNullable<Casting['edits']> =>
  (_stage, traffic) =>
    changingAccounts((account) =>
      account && isWallet(account) && isPoor(traffic)
        ? Object.assign({ ...account }, { lamports: 1n })
        : account,
    );

/** Signs in with a challenge that was fetched some seconds before, and expects how many challenges are fetched in all. */
const signsInAfter = (seconds: number, fetched: number): Case => ({
  id: `ready-challenge-${seconds}-seconds-later`,
  async play(players) {
    let count = 0;
    const through = (fetch: typeof globalThis.fetch) =>
      changedResponses(
        fetch,
        (challenge) => {
          count += 1;
          return challenge;
        },
        '/api/auth/challenge',
      );
    const person = await players.stage.newcomer();
    const { client, wallet } = cast(players, { person, through });
    const { genesisHash } = players.stage.deployment;
    await client.prepareSignIn(wallet, genesisHash);
    setClock(players, seconds);
    await client.authenticate(wallet, genesisHash);
    expect(count).toBe(fetched);
  },
});

export const READY_CASES: readonly Case[] = [
  rejecting(
    'ready-what-was-signed',
    'OPERATION_ALREADY_SIGNED',
    async (play, { stage }) => {
      const prepared = await stage.prepareNew(play.client);
      await expectRefusal(play.client.signAndSubmit(play.wallet, prepared), 'OUTCOME_UNKNOWN');
      expectKeptBack(play);
      return play.client.ready(prepared);
    },
    { asks: 1 },
  ),
  // The state is old by the clock, and the draft is not.
  signsAfter('half-a-minute-before', 'BLOCKHASH_INVALID', (_play, players) => setClock(players, 31), {
    edits: ({ world }) => ({
      isBlockhashValid: (result: object) => withValue(result, Date.now() < world.clock.ms + 31_000),
    }),
  }),
  rejecting('ready-until-the-draft-expires', 'DRAFT_EXPIRED', async ({ client, wallet }, players) => {
    const prepared = await ready(players.stage.prepareNew(client));
    setClock(players, 70);
    await ready(client.ready(prepared));
    setClock(players, 95);
    return client.signAndSubmit(wallet, prepared);
  }),
  rejecting(
    'ready-after-the-draft-has-expired',
    'DRAFT_EXPIRED',
    async ({ client }, { stage }) => client.ready(await ready(stage.prepareNew(client))),
    {
      // The node returns the balance after the draft.
      edits: ({ world }) =>
        changingAccounts((account) => {
          if (isWallet(account)) vi.advanceTimersByTime(world.clock.ms + 91_000 - Date.now());
          return account;
        }),
    },
  ),
  signsSecond(
    'while-another-is-in-flight',
    async (play, prepared) => {
      await expectRefusal(play.client.signAndSubmit(play.wallet, prepared), 'OUTCOME_UNKNOWN');
      expectKeptBack(play);
    },
    1,
  ),
  signsSecond(
    'while-another-is-held',
    ({ client, wallet }, prepared) => {
      const unsigning = { ...wallet, signTransaction: async (wire: Uint8Array) => wire };
      return expectRefusal(client.signAndSubmit(unsigning, prepared), 'WALLET_SIGNATURE_INVALID');
    },
    0,
  ),
  signsAfter('before-a-sign-out', 'AUTHENTICATION_REQUIRED', ({ client }) => client.logout()),
  signsAfter(
    'before-the-session-ended',
    'AUTHENTICATION_REQUIRED',
    (_play, players) => setClock(players, 1),
    {
      asks: 1,
      through(fetch) {
        const start = Date.now();
        const end = (session: object) => (Date.now() > start ? { wallet: null } : session);
        return changedResponses(fetch, end, '/api/auth/session');
      },
    },
  ),
  signsAfter('before-the-sol-was-spent', 'INSUFFICIENT_FUNDS', () => undefined, {
    asks: 1,
    edits: poorOnce(({ asked }) => asked > 0),
  }),
  rejecting(
    'ready-challenge-of-another-site',
    { code: 'CHALLENGE_REFUSED', context: { binding: 'origin' } },
    ({ client, wallet }, { stage }) => client.prepareSignIn(wallet, stage.deployment.genesisHash),
    { mode: modeOf('sign-in-other-origin') },
  ),
  signsInAfter(60, 1),
  signsInAfter(245, 2),
];
