/** Wallets that sign something else, or something of somebody else, or too late. */

import type { PlainWallet } from '@service/sdk';
import { generateKeyPairSigner } from '@solana/kit';
import { vi } from 'vitest';
import { cast, type Players } from '../support/play.ts';
import { type Case, refusing } from './case.ts';

type Sign = PlainWallet['signTransaction'];

function signing(
  id: string,
  code: string,
  lie: (honest: PlainWallet, players: Players) => Sign,
  asks = 1,
): Case {
  return refusing(
    `wallet-${id}`,
    { code },
    async (players) => {
      const play = cast(players, { person: players.stage.holder });
      const prepared = await players.stage.prepare('TRANSFER', play.client);
      const wallet = { ...play.wallet, signTransaction: lie(play.wallet, players) };
      return { play, call: play.client.signAndSubmit(wallet, prepared) };
    },
    { asks },
  );
}

function signIn(
  id: string,
  code: string,
  lie: (honest: PlainWallet) => PlainWallet['signMessage'],
  asks = 0,
): Case {
  return refusing(
    `wallet-${id}`,
    { code },
    async (players) => {
      const play = cast(players, { person: players.stage.holder, isSignedIn: false });
      let verified = false;
      const watched = cast(players, {
        person: players.stage.holder,
        isSignedIn: false,
        through: (fetch) => (input, init) => {
          verified ||= String((input as Request).url ?? input).endsWith('/api/auth/verify');
          return fetch(input, init);
        },
      });
      const wallet = { ...play.wallet, signMessage: lie(play.wallet) };
      const call = watched.client.authenticate(wallet, players.stage.deployment.genesisHash).finally(() => {
        if (verified) throw new Error('a signature that does not verify was posted');
      });
      return { play, call };
    },
    { asks },
  );
}

/** A sign-in where WebCrypto has no Ed25519. */
function withoutEd25519(each: Case): Case {
  return {
    id: `${each.id}-without-ed25519`,
    isFresh: each.isFresh,
    async play(players) {
      const { importKey } = crypto.subtle;
      crypto.subtle.importKey = async (...parameters: readonly unknown[]) => {
        if ((parameters[2] as { name?: string }).name !== 'Ed25519') {
          return Reflect.apply(importKey, crypto.subtle, parameters) as never;
        }
        throw new DOMException('Unrecognized name.', 'NotSupportedError');
      };
      try {
        await each.play(players);
      } finally {
        crypto.subtle.importKey = importKey;
      }
    },
  };
}

/** Of the group of ed25519. */
const ORDER = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n;

async function foreign(bytes: Uint8Array): Promise<Uint8Array> {
  const { keyPair } = await generateKeyPairSigner();
  return new Uint8Array(await crypto.subtle.sign('Ed25519', keyPair.privateKey, bytes as never));
}

/** Wallets that are no better than the service. */
export const WALLET_CASES: readonly Case[] = [
  signing('changes-the-message', 'WALLET_CHANGED_TRANSACTION', (honest) => async (given) => {
    const changed = given.slice();
    changed[changed.length - 2]! ^= 1;
    return honest.signTransaction(changed);
  }),
  signing(
    'appends-a-byte',
    'WALLET_CHANGED_TRANSACTION',
    (honest) => async (given) => Uint8Array.from([...(await honest.signTransaction(given)), 0]),
  ),
  signing('returns-two-signatures', 'WALLET_CHANGED_TRANSACTION', (honest) => async (given) => {
    const signed = await honest.signTransaction(given);
    return Uint8Array.from([2, ...signed.slice(1, 65), ...signed.slice(1)]);
  }),
  signing('does-not-sign', 'WALLET_SIGNATURE_INVALID', () => async (given) => given, 0),
  signing(
    'signs-with-another-key',
    'WALLET_SIGNATURE_INVALID',
    () => async (given) => {
      const signed = given.slice();
      signed.set(await foreign(given.slice(65)), 1);
      return signed;
    },
    0,
  ),
  signing('returns-text', 'INVALID_ARGUMENT', () => async () => 'signed' as never, 0),
  signing(
    'returns-other-numbers',
    'INVALID_ARGUMENT',
    (honest) => async (given) => new Uint16Array(await honest.signTransaction(given)) as never,
  ),
  signing(
    'returns-an-impostor',
    'INVALID_ARGUMENT',
    (honest) => async (given) =>
      ({
        ...(await honest.signTransaction(given)),
        length: given.length,
        [Symbol.toStringTag]: 'Uint8Array',
      }) as never,
  ),
  signing('declines', 'WALLET_REJECTED', () => () => Promise.reject(new Error('declined')), 0),
  signing('signs-after-the-draft', 'DRAFT_EXPIRED', (honest, { stage }) => async (given) => {
    vi.setSystemTime(stage.world.clock.ms + 91_000);
    return honest.signTransaction(given);
  }),
  signIn('signs-in-with-another-key', 'WALLET_SIGNATURE_INVALID', () => foreign),
  signIn(
    'signs-another-message',
    'WALLET_SIGNATURE_INVALID',
    (honest) => (message) => honest.signMessage(Uint8Array.from([...message, 0])),
    1,
  ),
  signIn('signs-in-shortly', 'WALLET_SIGNATURE_INVALID', () => async () => new Uint8Array(63)),
  withoutEd25519(signIn('signs-in-with-another-key', 'WALLET_SIGNATURE_INVALID', () => foreign)),
  withoutEd25519(
    signIn('signs-in-shortly', 'WALLET_SIGNATURE_INVALID', () => async () => new Uint8Array(63)),
  ),
  withoutEd25519(
    signIn(
      'signs-in-with-a-scalar-past-the-order',
      'WALLET_SIGNATURE_INVALID',
      (honest) => async (message) => {
        const signature = (await honest.signMessage(message)).slice();
        // The same scalar, written otherwise: the order of the group is added, lowest byte first.
        let sum = ORDER;
        for (let at = 32; at < 64; at += 1) {
          sum += BigInt(signature[at]!);
          signature[at] = Number(sum & 255n);
          sum >>= 8n;
        }
        return signature;
      },
      1,
    ),
  ),
  refusing('wallet-of-another', { code: 'WALLET_MISMATCH' }, async (players) => {
    const { stage } = players;
    const play = cast(players, { person: stage.holder });
    const other = cast(players, { person: await stage.newcomer() });
    const prepared = await stage.prepare('TRANSFER', play.client);
    return { play: other, call: play.client.signAndSubmit(other.wallet, prepared) };
  }),
  ...(
    [
      ['without-address', { address: 'me', signMessage: () => undefined, signTransaction: () => undefined }],
      [
        'with-no-address',
        { address: undefined, signMessage: () => undefined, signTransaction: () => undefined },
      ],
      ['that-is-null', null],
      ['that-is-text', 'wallet'],
      ['without-transactions', { signMessages: () => undefined }],
    ] as const
  ).map(([id, wallet]) =>
    refusing(`wallet-${id}`, { code: 'INVALID_ARGUMENT', context: { field: 'wallet' } }, async (players) => {
      const { stage } = players;
      const play = cast(players, { person: stage.holder });
      const given =
        typeof wallet === 'object' && wallet !== null
          ? { address: stage.holder.key.address, ...wallet }
          : wallet;
      return { play, call: play.client.authenticate(given as never, stage.deployment.genesisHash) };
    }),
  ),
  refusing('wallet-without-messages', { code: 'WALLET_CANNOT_SIGN_MESSAGES' }, async (players) => {
    const { stage } = players;
    const play = cast(players, { person: stage.holder });
    const wallet = { address: stage.holder.key.address, signTransactions: () => undefined };
    return { play, call: play.client.authenticate(wallet as never, stage.deployment.genesisHash) };
  }),
];
