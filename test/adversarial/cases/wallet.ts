/** Wallets that sign something else, with another key, or too late. */

import type { PlainWallet } from '@service/sdk';
import { generateKeyPairSigner, signBytes } from '@solana/kit';
import { vi } from 'vitest';
import { asExpired, changedResponses } from '../../support/changed-responses.ts';
import { slowWallet } from '../../support/counting-wallet.ts';
import { refusal } from '../../support/hostile-service.ts';
import { flipped } from '../../support/node.ts';
import { payingWallet } from '../../support/paying-wallet.ts';
import { cast, type Play, type Players } from '../support/play.ts';
import { type Case, invalidArgument, type Rejection, ready, rejecting } from './case.ts';

const CHANGED = 'WALLET_CHANGED_TRANSACTION';
const INVALID = 'WALLET_SIGNATURE_INVALID';

/** A wallet that signs transactions in its own way. */
const signing = (
  id: string,
  code: string,
  sign: (honest: PlainWallet, wire: Uint8Array, players: Players) => Promise<unknown>,
  asks = 1,
) =>
  rejecting(
    `wallet-${id}`,
    code,
    async ({ client, wallet }, players) => {
      const prepared = await ready(players.stage.prepare('TRANSFER', client));
      const signTransaction = (wire: Uint8Array) => sign(wallet, wire, players) as Promise<Uint8Array>;
      return client.signAndSubmit({ ...wallet, signTransaction }, prepared);
    },
    { asks },
  );

/** A wallet that signs the message of a sign-in in its own way. Its signature must not be posted. */
const signingIn = (
  id: string,
  sign: (message: Uint8Array, honest: PlainWallet) => Promise<Uint8Array>,
  asks = 0,
) =>
  rejecting(
    `wallet-${id}`,
    INVALID,
    async ({ client, wallet, traffic }, { stage }) => {
      const signMessage = (message: Uint8Array) => sign(message, wallet);
      await client.authenticate({ ...wallet, signMessage }, stage.deployment.genesisHash).finally(() => {
        if (traffic.signIns > 0) throw new Error('a signature that does not verify was posted');
      });
    },
    { asks, isSignedIn: false },
  );

/** A sign-in where WebCrypto does not have Ed25519. */
function withoutEd25519(each: Case): Case {
  return {
    id: `${each.id}-without-ed25519`,
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

async function signWithAnotherKey(bytes: Uint8Array): Promise<Uint8Array> {
  const { keyPair } = await generateKeyPairSigner();
  return signBytes(keyPair.privateKey, bytes);
}
const withAnotherKey = signingIn('signs-in-with-another-key', signWithAnotherKey);
const tooShort = signingIn('signs-in-with-a-short-signature', async () => new Uint8Array(63));

/** The order of the group of Ed25519. */
const ORDER = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n;

/** Adds the order of the group to the scalar of a signature, lowest byte first. The scalar stays the same. */
function pastTheOrder(signature: Uint8Array): Uint8Array {
  const changed = signature.slice();
  let sum = ORDER;
  for (let at = 32; at < 64; at += 1) {
    sum += BigInt(changed[at]!);
    changed[at] = Number(sum & 255n);
    sum >>= 8n;
  }
  return changed;
}

const authenticate = ({ client }: Play, { stage }: Players, wallet: unknown) =>
  client.authenticate(wallet as never, stage.deployment.genesisHash);

/** An object that is not a wallet. Properties other than `address` are added to the holder's. */
const noWallet = (id: string, wallet: object | string | null) =>
  rejecting(`wallet-${id}`, invalidArgument('wallet'), (play, players) => {
    const isObject = typeof wallet === 'object' && wallet !== null;
    const { address } = players.stage.holder.key;
    return authenticate(play, players, isObject ? { address, ...wallet } : wallet);
  });
const signMessage = () => undefined;
const signTransaction = () => undefined;

/** A wallet that adds a priority fee of 200 lamports, which the caller allows, and a service that adopts it in its own way. */
const adopting = (
  id: string,
  rejection: Rejection,
  change: Parameters<typeof changedResponses>[1],
  most = 200n,
) =>
  rejecting(
    `wallet-adds-a-fee-${id}`,
    rejection,
    async ({ client }, { stage }) => {
      const prepared = await ready(stage.prepareNew(client));
      const { wallet } = payingWallet(stage.holder.key, { limit: 200_000, price: 1_000n });
      return client.signAndSubmit(wallet, prepared, { maxPriorityFeeLamports: most });
    },
    { through: (fetch) => changedResponses(fetch, change, '/api/transactions/adopt') },
  );

/** Wallets that are as hostile as the service. */
export const WALLET_CASES: readonly Case[] = [
  rejecting(
    'wallet-signs-after-a-changed-transaction',
    'SIGNED_OPERATION_PENDING',
    async ({ client, wallet }, { stage }) => {
      const [first, second] = [await stage.prepareNew(client), await stage.prepareNew(client)];
      const { wallet: paying } = payingWallet(stage.holder.key, { limit: 200_000, price: 1_000n });
      await client.signAndSubmit(paying, first).catch(() => undefined);
      return client.signAndSubmit(wallet, second);
    },
  ),
  rejecting(
    'wallet-signs-for-an-aborted-call-during-the-next-prompt',
    'SIGNED_OPERATION_PENDING',
    async ({ client, wallet }, { stage }) => {
      const [first, second] = [await stage.prepareNew(client), await stage.prepareNew(client)];
      const [early, late] = [slowWallet(wallet), slowWallet(wallet)];
      const controller = new AbortController();
      const aborted = client.signAndSubmit(early.wallet, first, { signal: controller.signal });
      await early.opened;
      controller.abort();
      await aborted.catch(() => undefined);
      const signing = client.signAndSubmit(late.wallet, second);
      await late.opened;
      early.answer();
      await early.answered;
      late.answer();
      return signing;
    },
    { asks: 2 },
  ),
  adopting('above-the-cap', CHANGED, (record) => record, 199n),
  adopting('that-becomes-another-operation', 'UNEXPECTED_RESPONSE', (record) => ({
    ...record,
    operationId: '00000000-0000-4000-8000-000000000000',
  })),
  adopting('whose-draft-expires', 'UNEXPECTED_RESPONSE', asExpired),
  adopting('that-the-service-refuses', 'TRANSACTION_MISMATCH', () => refusal('TRANSACTION_MISMATCH', 400)),
  signing('changes-the-message', CHANGED, (honest, wire) =>
    honest.signTransaction(flipped(wire, wire.length - 2)),
  ),
  signing('appends-a-byte', CHANGED, async (honest, wire) =>
    Uint8Array.from([...(await honest.signTransaction(wire)), 0]),
  ),
  signing('returns-two-signatures', CHANGED, async (honest, wire) => {
    const signed = await honest.signTransaction(wire);
    return Uint8Array.from([2, ...signed.slice(1, 65), ...signed.slice(1)]);
  }),
  signing('does-not-sign', INVALID, async (_honest, wire) => wire, 0),
  signing(
    'signs-with-another-key',
    INVALID,
    async (_honest, wire) => {
      const signed = wire.slice();
      signed.set(await signWithAnotherKey(wire.slice(65)), 1);
      return signed;
    },
    0,
  ),
  signing('returns-text', 'INVALID_ARGUMENT', async () => 'signed', 0),
  signing(
    'returns-other-numbers',
    'INVALID_ARGUMENT',
    async (honest, wire) => new Uint16Array(await honest.signTransaction(wire)),
  ),
  signing('returns-an-impostor', 'INVALID_ARGUMENT', async (honest, wire) => ({
    ...(await honest.signTransaction(wire)),
    length: wire.length,
    [Symbol.toStringTag]: 'Uint8Array',
  })),
  signing('declines', 'WALLET_REJECTED', () => Promise.reject(new Error('declined')), 0),
  signing('signs-after-the-draft', 'DRAFT_EXPIRED', (honest, wire) => {
    vi.advanceTimersByTime(91_000);
    return honest.signTransaction(wire);
  }),
  withAnotherKey,
  signingIn(
    'signs-another-message',
    (message, honest) => honest.signMessage!(Uint8Array.from([...message, 0])) as Promise<Uint8Array>,
    1,
  ),
  tooShort,
  withoutEd25519(withAnotherKey),
  withoutEd25519(tooShort),
  withoutEd25519(
    signingIn(
      'signs-in-with-a-scalar-past-the-order',
      async (message, honest) => pastTheOrder((await honest.signMessage!(message)) as Uint8Array),
      1,
    ),
  ),
  rejecting(
    'wallet-of-another',
    'WALLET_MISMATCH',
    async (other, players) => {
      const { client } = cast(players, { person: players.stage.holder });
      const prepared = await ready(players.stage.prepare('TRANSFER', client));
      return client.signAndSubmit(other.wallet, prepared);
    },
    { setUp: async ({ stage }) => ({ person: await stage.newcomer() }) },
  ),
  noWallet('is-only-an-account', { signMessage, features: [] }),
  noWallet('without-address', { address: 'me', signMessage, signTransaction }),
  noWallet('with-no-address', { address: undefined, signMessage, signTransaction }),
  noWallet('that-is-null', null),
  noWallet('that-is-text', 'wallet'),
  noWallet('without-transactions', { signMessages: async () => Promise.reject(new Error('no')) }),
  rejecting('wallet-without-messages', 'WALLET_CANNOT_SIGN_MESSAGES', (play, players) =>
    authenticate(play, players, {
      address: players.stage.holder.key.address,
      signTransactions: signTransaction,
    }),
  ),
];
