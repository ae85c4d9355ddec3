import { Localnet } from '@service/localnet';
import { type ChallengeFields, formatChallenge } from '@service/protocol';
import { type Address, generateKeyPairSigner, getBase64Encoder, type KeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { DEPLOYMENT, MAINNET_GENESIS } from '../../test/support/deployment.ts';
import { ServiceClient } from '../client/service-client.ts';
import { isServiceError } from '../errors.ts';
import { verifySignature } from '../wallet/verify-signature.ts';
import type { PlainWallet } from '../wallet/wallet.ts';

const ORIGIN = DEPLOYMENT.baseUrl;
const PROGRAM = DEPLOYMENT.program as Address;
const CHALLENGE_ID = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';

let net: Localnet;
let key: KeyPairSigner;
let signed: string[];
let verified: { challengeId: string; wallet: string; signature: string }[];
let now: bigint;

beforeAll(async () => {
  net = Localnet.start({ slotMs: 'manual' });
  key = await generateKeyPairSigner();
});
afterAll(() => net.stop());
beforeEach(() => {
  signed = [];
  verified = [];
  now = BigInt(Math.floor(Date.now() / 1000));
});

async function signatureOf(signer: KeyPairSigner, message: Uint8Array): Promise<Uint8Array> {
  const [signatures] = await signer.signMessages([{ content: message, signatures: {} } as never]);
  return new Uint8Array(signatures![signer.address]!);
}

function wallet(overrides: Partial<PlainWallet> = {}): PlainWallet {
  return {
    address: key.address,
    signMessage(message) {
      signed.push(new TextDecoder().decode(message));
      return signatureOf(key, message);
    },
    signTransaction: async () => {
      throw new Error('nothing to sign');
    },
    ...overrides,
  };
}

let nonces = 0;
function clientOf(changes: Partial<ChallengeFields> = {}, gate?: () => Promise<void>): ServiceClient {
  const fields: ChallengeFields = {
    origin: ORIGIN,
    wallet: key.address,
    program: PROGRAM,
    genesisHash: net.genesisHash,
    nonce: `nonce0123456789${nonces++}`,
    challengeId: CHALLENGE_ID,
    issuedAt: now,
    expiresAt: now + 300n,
    ...changes,
  };
  return new ServiceClient({
    deployment: { ...DEPLOYMENT, program: PROGRAM, genesisHash: net.genesisHash },
    rpc: net.rpc,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      await gate?.();
      const { pathname } = new URL(request.url);
      if (pathname === '/api/auth/challenge') {
        const { challengeId, expiresAt } = fields;
        return Response.json({ challengeId, message: formatChallenge(fields), expiresAt: `${expiresAt}` });
      }
      if (pathname === '/api/auth/verify') {
        const body = (await request.json()) as (typeof verified)[number];
        verified.push(body);
        return Response.json({ wallet: body.wallet, expiresAt: `${now + 43_200n}` });
      }
      throw new Error(`nothing at ${pathname}`);
    },
  });
}

/** A client whose requests wait until `open` is called, a promise of the first one, and a controller for some calls. */
function gatedClient() {
  let [open, arrive] = [() => {}, () => {}];
  const opened = new Promise<void>((resolve) => (open = resolve));
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const client = clientOf({}, () => {
    arrive();
    return opened;
  });
  return { client, arrived, open: () => open(), controller: new AbortController() };
}

function signIn(client = clientOf(), by: PlainWallet | KeyPairSigner = wallet(), signal?: AbortSignal) {
  return client.authenticate(by, net.genesisHash, { signal });
}

describe('authenticate', () => {
  it('signs exactly the message of an honest challenge and posts a signature that verifies', async () => {
    expect(await signIn()).toEqual({ wallet: key.address, expiresAt: now + 43_200n });
    expect(signed).toHaveLength(1);
    expect(verified).toHaveLength(1);
    const signature = new Uint8Array(getBase64Encoder().encode(verified[0]!.signature));
    const message = new TextEncoder().encode(signed[0]);
    expect(await verifySignature(key.address, message, signature)).toBe(true);
    expect(verified[0]).toMatchObject({ challengeId: CHALLENGE_ID, wallet: key.address });
  });

  it('accepts a kit signer', async () => {
    expect(await signIn(clientOf(), key)).toMatchObject({ wallet: key.address });
  });

  it('accepts a clock that differs by a minute', async () => {
    for (const seconds of [58n, -60n]) {
      const client = clientOf({ issuedAt: now + seconds, expiresAt: now + 300n + seconds });
      expect(await signIn(client)).toBeDefined();
    }
  });

  it('rejects a challenge that was already signed', async () => {
    const client = clientOf();
    await signIn(client);
    const error: unknown = await signIn(client).catch((thrown: unknown) => thrown);
    expect(isServiceError(error, 'CHALLENGE_REFUSED') && error.context.binding).toBe('nonce');
    expect(signed).toHaveLength(1);
  });

  it('rejects another genesis hash than the deployment’s, and an RPC of another cluster', async () => {
    const { deployment } = clientOf();
    const mismatch = (context: object) => ({ code: 'GENESIS_HASH_MISMATCH', context });
    const ofArgument = clientOf().authenticate(wallet(), MAINNET_GENESIS);
    await expect(ofArgument).rejects.toMatchObject(mismatch({ source: 'argument' }));
    const elsewhere = Localnet.start({ slotMs: 'manual', seed: 'elsewhere' });
    const ofRpc = signIn(new ServiceClient({ deployment, rpc: elsewhere.rpc }));
    const received = elsewhere.genesisHash;
    await expect(ofRpc).rejects.toMatchObject(mismatch({ source: 'rpc', received }));
    await elsewhere.stop();
    expect(signed).toEqual([]);
  });

  it('posts no signature of another key or over another message', async () => {
    const other = await generateKeyPairSigner();
    for (const signMessage of [
      (message: Uint8Array) => signatureOf(other, message),
      (message: Uint8Array) => signatureOf(key, Uint8Array.from([...message, 0])),
      async () => new Uint8Array(63),
    ]) {
      const signing = signIn(clientOf(), wallet({ signMessage }));
      await expect(signing).rejects.toMatchObject({ code: 'WALLET_SIGNATURE_INVALID' });
    }
    expect(verified).toEqual([]);
  });

  it('reports that the person declined', async () => {
    const declined = wallet({ signMessage: () => Promise.reject(new Error('User rejected the request')) });
    const error = { code: 'WALLET_REJECTED', message: expect.stringContaining('User rejected') };
    await expect(signIn(clientOf(), declined)).rejects.toMatchObject(error);
  });

  it('shows one prompt for concurrent calls of one wallet, and lets one of them abort', async () => {
    const { client, arrived, open, controller } = gatedClient();
    const first = signIn(client, wallet(), controller.signal);
    const others = [1, 2].map(() => signIn(client));
    await arrived;
    controller.abort();
    await expect(first).rejects.toMatchObject({ code: 'ABORTED' });
    open();

    for (const other of others) await expect(other).resolves.toMatchObject({ wallet: key.address });
    expect(signed).toHaveLength(1);
    expect(verified).toHaveLength(1);
  });

  it('ends a prompt when its challenge expires, and shows a new one to the next call', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const signMessage = vi.fn(() => new Promise<never>(() => {}));
      const client = clientOf();
      const signing = signIn(client, wallet({ signMessage }));
      const first = expect(signing).rejects.toMatchObject({ code: 'TIMEOUT' });
      await vi.waitFor(() => expect(signMessage).toHaveBeenCalled());
      await vi.advanceTimersByTimeAsync(300_000);
      await first;
      expect(await signIn(client)).toMatchObject({ wallet: key.address });
    } finally {
      vi.useRealTimers();
    }
  });

  it('starts again for a call after all others were aborted', async () => {
    const { client, arrived, open, controller } = gatedClient();
    const first = signIn(client, wallet(), controller.signal);
    await arrived;
    controller.abort();
    const next = signIn(client);
    await expect(first).rejects.toMatchObject({ code: 'ABORTED' });
    open();

    await expect(next).resolves.toMatchObject({ wallet: key.address });
    expect(signed).toHaveLength(1);
  });

  it('stops before the prompt if every call was aborted, and leaves no listener', async () => {
    const { client, arrived, open, controller } = gatedClient();
    const removed = vi.spyOn(controller.signal, 'removeEventListener');
    const added = vi.spyOn(controller.signal, 'addEventListener');
    const both = [1, 2].map(() => signIn(client, wallet(), controller.signal));
    await arrived;
    controller.abort();
    for (const call of both) await expect(call).rejects.toMatchObject({ code: 'ABORTED' });
    open();
    await new Promise((resolve) => setImmediate(resolve));

    expect(signed).toEqual([]);
    expect(removed.mock.calls.length).toBe(added.mock.calls.length);
  });
});
