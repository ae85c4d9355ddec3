/** Saved witnesses that must not open, and what must not be saved. */
import { webcrypto } from 'node:crypto';
import { generateKeyPairSigner } from '@solana/kit';
import { vi } from 'vitest';
import type { Play, Players } from '../support/play.ts';
import { type Case, invalidArgument, type Rejection, ready, rejecting } from './case.ts';

const ORIGIN = 'https://app.example';
const passphrase = 'correct horse battery';

/** Fields of the options of a call. A wrong caller passes anything. */
type Given = Record<string, unknown>;
type Change = (given: Given, play: Play, players: Players) => Given | Promise<Given>;

const locked = (reason: string): Rejection => ({ code: 'WITNESS_LOCKED', context: { reason } });

const fields = ({ wallet }: Play, { stage }: Players): Given => ({
  deployment: stage.deployment,
  signer: wallet,
  origin: ORIGIN,
});

const save = (given: Given, { modules }: Players): Promise<string> => modules.sdk.saveWitness(given as never);

/** Saves the holder's witness with other options. `asks`: how often the wallet is asked. */
const saving = (id: string, rejection: Rejection, change: Change, asks = 0): Case =>
  rejecting(
    `saved-witness-${id}`,
    rejection,
    async (play, players) =>
      save(
        await change({ ...fields(play, players), witness: players.stage.witness }, play, players),
        players,
      ),
    { asks },
  );

/** Saves the holder's witness, and opens it with other options. Saving asks the wallet twice. */
const opening = (
  id: string,
  rejection: Rejection,
  change: Change,
  { asks = 2, by = (given: Given): Given => given } = {},
): Case =>
  rejecting(
    `saved-witness-${id}`,
    rejection,
    async (play, players) => {
      const { stage, modules } = players;
      const own = by(fields(play, players));
      const saved = await ready(save({ ...own, witness: stage.witness }, players));
      const given = { ...own, saved, wallet: stage.witness.wallet };
      return modules.sdk.openWitness((await change(given, play, players)) as never);
    },
    { asks },
  );

const text = (given: Given, change: (saved: string) => unknown): Given => ({
  ...given,
  saved: change(given.saved as string),
});

/** Changes one byte of a saved witness. */
const flipped = (saved: string, at: number): string => {
  const bytes = Buffer.from(saved.slice('witness1.'.length), 'base64url');
  bytes[at]! ^= 1;
  return `witness1.${bytes.toString('base64url')}`;
};

const byPassphrase = ({ deployment }: Given): Given => ({ deployment, passphrase });
const other = async () => (await generateKeyPairSigner()).address;

const unchanged = opening('that-belongs-to-another-wallet', 'WALLET_MISMATCH', (given) => given, { asks: 3 });

const changing = saving(
  'with-another-signature-each-time',
  invalidArgument('signer'),
  (given, { wallet }) => {
    let count = 0;
    const signMessage = async (message: Uint8Array) => {
      const signature = new Uint8Array(await wallet.signMessage!(message));
      count += 1;
      signature[0]! ^= count;
      return signature;
    };
    return { ...given, signer: { ...wallet, signMessage } };
  },
  2,
);

/** The cases; their ids begin with `saved-witness-`. */
export const SAVED_WITNESS_CASES: readonly Case[] = [
  saving('that-is-too-long', 'WITNESS_INVALID', (given, _play, { stage }) => ({
    ...given,
    witness: { ...stage.witness, region: 'F'.repeat(400) },
  })),
  saving('under-a-short-passphrase', invalidArgument('passphrase'), ({ signer: _, ...given }) => ({
    ...given,
    passphrase: 'short',
  })),
  saving('under-both-locks', invalidArgument('signer'), (given) => ({ ...given, passphrase })),
  saving('for-no-origin', invalidArgument('origin'), (given) => ({ ...given, origin: 'app.example' })),
  saving('by-another-wallet', 'WALLET_MISMATCH', async (given, { wallet }) => ({
    ...given,
    signer: { ...wallet, address: await other() },
  })),
  {
    id: 'saved-witness-by-a-wallet-that-signs-differently-each-time',
    async play(players) {
      // Wallets of several parties make several valid signatures of one message.
      const verify = vi.spyOn(webcrypto.subtle, 'verify').mockResolvedValue(true);
      try {
        await changing.play(players);
      } finally {
        verify.mockRestore();
      }
    },
  },
  opening('without-text', locked('malformed'), (given) => text(given, () => 5)),
  opening('with-another-version', locked('malformed'), (given) =>
    text(given, (saved) => saved.replace('witness1.', 'witness2.')),
  ),
  opening('that-is-cut', locked('malformed'), (given) => text(given, (saved) => saved.slice(0, -4))),
  opening('with-another-kind-of-lock', locked('malformed'), (given) =>
    text(given, (saved) => saved.replace('witness1.A', 'witness1.z')),
  ),
  opening('for-no-address', invalidArgument('wallet'), (given) => ({ ...given, wallet: 'x' })),
  {
    id: 'saved-witness-with-another-witness-inside',
    async play(players) {
      // Whoever has the key can put anything into the form of a saved witness.
      const encrypt = webcrypto.subtle.encrypt.bind(webcrypto.subtle);
      const witness = { ...players.stage.witness, wallet: await other() };
      const inside = Buffer.from(JSON.stringify(witness).padEnd(510));
      const spy = vi
        .spyOn(webcrypto.subtle, 'encrypt')
        .mockImplementation((parameters, key) => encrypt(parameters, key, inside));
      try {
        await unchanged.play(players);
      } finally {
        spy.mockRestore();
      }
    },
  },
  opening('of-another-wallet', 'WALLET_MISMATCH', async (given) => ({ ...given, wallet: await other() })),
  opening('of-another-deployment', locked('deployment'), async (given) => ({
    ...given,
    deployment: { ...(given.deployment as object), program: await other() },
  })),
  opening(
    'by-a-passphrase-with-the-wallet',
    invalidArgument('passphrase'),
    (given, { wallet }) => ({ ...given, passphrase: undefined, signer: wallet, origin: ORIGIN }),
    { asks: 0, by: byPassphrase },
  ),
  opening('by-the-wallet-with-a-passphrase', invalidArgument('signer'), ({ signer: _, ...given }) => ({
    ...given,
    passphrase,
  })),
  opening('with-a-changed-byte', locked('key'), (given) => text(given, (saved) => flipped(saved, 200)), {
    asks: 3,
  }),
  opening('on-another-site', locked('key'), (given) => ({ ...given, origin: 'https://evil.example' }), {
    asks: 3,
  }),
];
