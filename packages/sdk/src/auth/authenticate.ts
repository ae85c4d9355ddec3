/** Sign-in in three steps: challenge, check and signature, verification (SPEC.md section 5). */
import type { SignedIn } from '@service/contract';
import { getBase64Decoder } from '@solana/kit';
import type { ClientCore, SharedSignIn } from '../client/core.ts';
import { ServiceError } from '../errors.ts';
import { unexpected } from '../http/transport.ts';
import { type CallOptions, throwIfAborted, untilAborted, withDeadline } from '../lib/deadline.ts';
import { checkGenesisHash } from '../rpc/chain-rpc.ts';
import { cannotSignMessages, type Signer, signerOf } from '../wallet/signer.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { checkChallenge } from './check-challenge.ts';

/** See `ServiceClient.authenticate`. */
export async function authenticate(
  core: ClientCore,
  wallet: Wallet,
  genesisHash: string,
  options: CallOptions,
): Promise<SignedIn> {
  const signer = signerOf(wallet);
  const expected = core.deployment.genesisHash;
  if (genesisHash !== expected) {
    throw new ServiceError('GENESIS_HASH_MISMATCH', {
      message: `genesisHash is ${String(genesisHash)}, but the deployment has ${expected}. Pass deployment.genesisHash. Nothing was signed.`,
      context: { source: 'argument', expected, received: String(genesisHash) },
    });
  }
  throwIfAborted(options.signal, 'authenticate');
  // Before any call of the service, the RPC or the wallet.
  if (!signer.canSignMessages) throw cannotSignMessages(signer.address);
  const { underWay } = core.signIns;
  const shared = underWay.get(signer.address) ?? begin(core, signer);
  return join(shared, options.signal);
}

/** Starts a sign-in that every concurrent call for the wallet shares, so that the person sees one prompt. */
function begin(core: ClientCore, signer: Signer): SharedSignIn {
  const controller = new AbortController();
  const { underWay } = core.signIns;
  const leave = () => {
    if (underWay.get(signer.address) === shared) underWay.delete(signer.address);
  };
  const result = signIn(core, signer, controller.signal).finally(leave);
  const abandon = () => {
    // Immediately: the next call must not join a sign-in that is being aborted.
    leave();
    controller.abort();
  };
  const shared: SharedSignIn = { result, abandon, waiting: 0 };
  underWay.set(signer.address, shared);
  return shared;
}

/** Waits for a shared sign-in; it ends early only when every call that waits for it was aborted. */
async function join(shared: SharedSignIn, signal: AbortSignal | undefined): Promise<SignedIn> {
  shared.waiting += 1;
  const onAbort = () => {
    shared.waiting -= 1;
    if (shared.waiting === 0) shared.abandon();
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await untilAborted(shared.result, signal, 'authenticate');
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

async function signIn(core: ClientCore, signer: Signer, signal: AbortSignal): Promise<SignedIn> {
  const { deployment, origin, api, signIns } = core;
  const wallet = signer.address;
  await checkGenesisHash(core, signal);
  const challenge = await api.call('challenge', { body: { wallet }, signal });
  const nonce = checkChallenge(challenge, {
    origin,
    wallet,
    program: deployment.program,
    genesisHash: deployment.genesisHash,
    now: core.now(),
    usedNonces: signIns.usedNonces,
  });
  // An open prompt would block every later sign-in of the wallet, and an expired challenge needs no signature.
  const prompt = {
    signal,
    timeoutMs: Number(challenge.expiresAt - core.now()) * 1000,
    what: "The wallet's prompt to sign in",
  };
  const signature = await withDeadline(prompt, () =>
    signer.signMessage(new TextEncoder().encode(challenge.message)),
  );
  throwIfAborted(signal, 'authenticate');
  signIns.usedNonces.set(nonce, true);
  const signedIn = await api.call('verify', {
    body: { challengeId: challenge.challengeId, wallet, signature: getBase64Decoder().decode(signature) },
    signal,
  });
  if (signedIn.wallet !== wallet) throw unexpected('POST /api/auth/verify', 'signs in another wallet');
  core.session.wallet = wallet;
  core.ownWallets.add(wallet);
  return signedIn;
}
