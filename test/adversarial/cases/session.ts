/** The session changes to another wallet in the middle of a write, as by another tab: then nothing more is posted. */
import type { PlainWallet } from '@service/sdk';
import { payingWallet } from '../../support/paying-wallet.ts';
import type { Play, Players } from '../support/play.ts';
import { type Case, ready, rejecting } from './case.ts';

/** What a case can do to the session. */
interface Session {
  /** Signs another wallet in. */
  change(): void;
  /** The requests that must not be sent under the other session. */
  readonly posted: string[];
}

const changing = (
  id: string,
  call: (play: Play, players: Players, session: Session) => Promise<unknown>,
  asks = 0,
): Case =>
  rejecting<Session>(
    `session-changes-${id}`,
    'WALLET_MISMATCH',
    (play, players, session) =>
      call(play, players, session).finally(() => {
        if (session.posted.length > 0) throw new Error(`${session.posted} was sent under another session`);
      }),
    {
      asks,
      async setUp({ stage }) {
        const { key } = await stage.newcomer();
        const posted: string[] = [];
        let isOther = false;
        return {
          change: () => {
            isOther = true;
          },
          posted,
          through: (fetch) => (input, init) => {
            const request = new Request(input, init);
            const { pathname } = new URL(request.url);
            if (!isOther) return fetch(request);
            if (pathname === '/api/auth/session')
              return Promise.resolve(Response.json({ wallet: key.address }));
            if (request.method === 'POST') posted.push(pathname);
            return fetch(request);
          },
        };
      },
    },
  );

/** A wallet whose owner signs another wallet in while the prompt is open. */
const duringThePrompt = (wallet: PlainWallet, { change }: Session): PlainWallet => ({
  ...wallet,
  signTransaction(wire) {
    change();
    return wallet.signTransaction(wire);
  },
});

export const SESSION_CASES: readonly Case[] = [
  changing('before-a-proof-is-posted', async ({ client }, { stage }, { change }) => {
    await ready(client.session());
    change();
    return stage.prepare('PROVE', client);
  }),
  changing('before-a-write-of-the-wallet', ({ client, wallet }, { stage }, { change }) => {
    change();
    const { mint } = stage;
    return client.issue(wallet, { mint, destination: wallet.address, amount: 1n });
  }),
  changing(
    'before-signed-bytes-are-submitted',
    async ({ client, wallet }, { stage }, session) => {
      const prepared = await ready(stage.prepareNew(client));
      return client.signAndSubmit(duringThePrompt(wallet, session), prepared);
    },
    1,
  ),
  changing('before-a-changed-transaction-is-adopted', async ({ client }, { stage }, session) => {
    const prepared = await ready(stage.prepareNew(client));
    const { wallet } = payingWallet(stage.holder.key, { limit: 200_000, price: 1_000n });
    return client.signAndSubmit(duringThePrompt(wallet, session), prepared, { maxPriorityFeeLamports: 200n });
  }),
];
