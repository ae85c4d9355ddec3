/** Sign-in in three steps: challenge, check and signature, verification (SPEC.md section 5). */
import type { SignedIn } from '@service/contract';
import { getBase64Decoder } from '@solana/kit';
import type { ClientCore } from '../client/core.ts';
import { ServiceError } from '../errors.ts';
import { unexpected } from '../http/transport.ts';
import { unixSeconds } from '../lib/clock.ts';
import { type CallOptions, throwIfAborted, withDeadline } from '../lib/deadline.ts';
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
    // Not String(), which throws for an object without a prototype.
    const received = typeof genesisHash === 'string' ? genesisHash : typeof genesisHash;
    throw new ServiceError('GENESIS_HASH_MISMATCH', {
      message: `genesisHash is ${received}, but the deployment has ${expected}. Pass deployment.genesisHash. Nothing was signed.`,
      context: { source: 'argument', expected, received },
    });
  }
  throwIfAborted(options.signal, 'authenticate');
  // Before any call of the service, the RPC or the wallet.
  if (!signer.canSignMessages) throw cannotSignMessages(signer.address);
  const prompt = { signal: options.signal, what: 'authenticate' };
  // Concurrent calls for the wallet share one sign-in, so that the person sees one prompt.
  return core.signIns.underWay.join(signer.address, prompt, (signal) => signIn(core, signer, signal));
}

async function signIn(core: ClientCore, signer: Signer, signal: AbortSignal): Promise<SignedIn> {
  const { api, signIns } = core;
  const wallet = signer.address;
  await checkGenesisHash(core, signal);
  const challenge = await api.call('challenge', { body: { wallet }, signal });
  const nonce = checkChallenge(core, wallet, challenge);
  // An open prompt would block every later sign-in of the wallet, and an expired challenge needs no signature.
  const prompt = {
    clock: core.clock,
    signal,
    timeoutMs: Number(challenge.expiresAt - unixSeconds(core.clock)) * 1000,
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
