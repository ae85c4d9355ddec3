/** Sign-in in three steps: challenge, check and signature, verification (SPEC.md section 5). */
import type { SignedIn } from '@service/contract';
import { type Address, getBase64Decoder } from '@solana/kit';
import { ServiceError } from '../errors.ts';
import { unexpected } from '../http/transport.ts';
import {
  type CallOptions,
  type Clock,
  momentOf,
  mostSince,
  throwIfAborted,
  unixSeconds,
  withDeadline,
} from '../lib/clock.ts';
import { checkGenesisHash, readHeight } from '../rpc/chain.ts';
import { cannotSignMessages, type Signer, signerOf } from '../wallet/signer.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { checkChallenge, checkIsOfNow } from './check-challenge.ts';
import type { FetchedChallenge, SessionOnChain } from './session.ts';

/** See `ServiceClient.authenticate`. */
export async function authenticate(
  state: SessionOnChain,
  wallet: Wallet,
  genesisHash: string,
  options: CallOptions,
): Promise<SignedIn> {
  const signer = signerToSignIn(state, wallet, genesisHash, options);
  const prompt = { signal: options.signal, what: 'authenticate' };
  // Concurrent calls for the wallet share one sign-in, so that the person sees one prompt.
  return state.session.signIns.join(signer.address, prompt, (signal) => signIn(state, signer, signal));
}

/** See `ServiceClient.prepareSignIn`. */
export async function prepareSignIn(
  state: SessionOnChain,
  wallet: Wallet,
  genesisHash: string,
  options: CallOptions,
): Promise<bigint> {
  const { address } = signerToSignIn(state, wallet, genesisHash, options);
  // If this fails, an older challenge must not hide the error.
  state.session.challenges.delete(address);
  const fetched = await fetchChallenge(state, address, options.signal);
  state.session.challenges.set(address, fetched);
  const { clock } = state.chain;
  return unixSeconds(clock) + BigInt(Math.floor((leftMs(clock, fetched) - PROMPT_MS) / 1000));
}

/** Returns the signer of a wallet that can sign in here. Makes no network calls. */
function signerToSignIn(
  state: SessionOnChain,
  wallet: Wallet,
  genesisHash: string,
  options: CallOptions,
): Signer {
  const signer = signerOf(wallet);
  const expected = state.chain.deployment.genesisHash;
  if (genesisHash !== expected) {
    // Not String(), which throws for an object without a prototype.
    const received = typeof genesisHash === 'string' ? genesisHash : typeof genesisHash;
    throw new ServiceError('GENESIS_HASH_MISMATCH', {
      message: `genesisHash is ${received}, but the deployment has ${expected}. Pass deployment.genesisHash. Nothing was signed.`,
      context: { source: 'argument', expected, received },
    });
  }
  throwIfAborted(options.signal, 'authenticate');
  // Before any call of the service, the RPC or the wallet.
  if (signer.lacks) throw cannotSignMessages(signer);
  return signer;
}

/** Milliseconds that a challenge must still be valid when the wallet is asked. */
const PROMPT_MS = 60_000;

/** Takes the challenge that was fetched ahead, if the person has time to answer it. It is used once. */
function takeChallenge({ session, chain }: SessionOnChain, wallet: Address): FetchedChallenge | undefined {
  const fetched = session.challenges.get(wallet);
  session.challenges.delete(wallet);
  return fetched && leftMs(chain.clock, fetched) >= PROMPT_MS ? fetched : undefined;
}

function leftMs(clock: Clock, { lifetimeMs, since }: FetchedChallenge): number {
  return lifetimeMs - mostSince(clock, since);
}

/** Gets a challenge, and checks it. Measures its age from here, because the clock of the device may be wrong. */
async function fetchChallenge(
  state: SessionOnChain,
  wallet: Address,
  signal: AbortSignal | undefined,
): Promise<FetchedChallenge> {
  const { session, chain } = state;
  // The first write needs the height. A sign-in does not wait for it, because an RPC that limits requests can be slow.
  readHeight(chain, signal).catch(() => undefined);
  await checkGenesisHash(chain, signal);
  const since = momentOf(chain.clock);
  const challenge = await session.api.call('challenge', { body: { wallet }, signal });
  const fields = checkChallenge(state, wallet, challenge);
  await checkIsOfNow(chain, fields, signal);
  return { challenge, since, lifetimeMs: Number(fields.expiresAt - fields.issuedAt) * 1000 };
}

async function signIn(state: SessionOnChain, signer: Signer, signal: AbortSignal): Promise<SignedIn> {
  const { session, chain } = state;
  const { api } = session;
  const wallet = signer.address;
  const ready = takeChallenge(state, wallet) ?? (await fetchChallenge(state, wallet, signal));
  const { challenge, since, lifetimeMs } = ready;
  const { nonce } = checkChallenge(state, wallet, challenge);
  // An open prompt would block every later sign-in of the wallet, and an expired challenge needs no signature.
  const prompt = {
    clock: chain.clock,
    signal,
    timeoutMs: lifetimeMs - (chain.clock.elapsed() - since.elapsed),
    what: "The wallet's prompt to sign in",
  };
  const signature = await withDeadline(prompt, () =>
    signer.signMessage(new TextEncoder().encode(challenge.message)),
  );
  throwIfAborted(signal, 'authenticate');
  session.usedNonces.set(nonce, true);
  const signedIn = await api.call('verify', {
    body: { challengeId: challenge.challengeId, wallet, signature: getBase64Decoder().decode(signature) },
    signal,
  });
  if (signedIn.wallet !== wallet) throw unexpected('POST /api/auth/verify', 'signs in another wallet');
  session.snapshot.wallet = wallet;
  session.tabs.notify();
  session.ownWallets.add(wallet);
  return signedIn;
}
