import { Localnet } from '@service/localnet';
import { type ChallengeFields, formatChallenge } from '@service/protocol';
import { type Address, generateKeyPairSigner, getBase64Encoder, type KeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ServiceClient } from '../client/service-client.ts';
import { isServiceError } from '../errors.ts';
import { verifySignature } from '../wallet/verify-signature.ts';
import type { PlainWallet } from '../wallet/wallet.ts';

const ORIGIN = 'https://app.example';
const PROGRAM = '7cqE6AS4cxp6bj3NQ3iX4su4xcDtMQNitRVR21RirKVi' as Address;
const OTHER_GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
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

function wallet(overrides: Partial<PlainWallet> = {}): PlainWallet {
  return {
    address: key.address,
    async signMessage(message) {
      signed.push(new TextDecoder().decode(message));
      const [signatures] = await key.signMessages([{ content: message, signatures: {} } as never]);
      return new Uint8Array(signatures![key.address]!);
    },
    signTransaction: async () => {
      throw new Error('nothing to sign');
    },
    ...overrides,
  };
}

let nonces = 0;
function clientOf(changes: Partial<ChallengeFields> = {}, gate?: Promise<void>): ServiceClient {
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
    deployment: {
      program: PROGRAM,
      genesisHash: net.genesisHash,
      artifactsDigest: '0'.repeat(64),
      rpcUrl: 'http://127.0.0.1:1',
      verifierOrigins: [],
    },
    baseUrl: ORIGIN,
    rpc: net.rpc,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      await gate;
      const { pathname } = new URL(request.url);
      if (pathname === '/api/auth/challenge') {
        const expiresAt = `${fields.expiresAt}`;
        return Response.json({ challengeId: CHALLENGE_ID, message: formatChallenge(fields), expiresAt });
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

describe('authenticate', () => {
  it('signs exactly the message of an honest challenge and posts a signature that verifies', async () => {
    const result = await clientOf().authenticate(wallet(), net.genesisHash);

    expect(result).toEqual({ wallet: key.address, expiresAt: now + 43_200n });
    expect(signed).toHaveLength(1);
    expect(verified).toHaveLength(1);
    const signature = new Uint8Array(getBase64Encoder().encode(verified[0]!.signature));
    await expect(verifySignature(key.address, new TextEncoder().encode(signed[0]), signature)).resolves.toBe(
      true,
    );
    expect(verified[0]).toMatchObject({ challengeId: CHALLENGE_ID, wallet: key.address });
  });

  it('accepts a kit signer', async () => {
    await expect(clientOf().authenticate(key, net.genesisHash)).resolves.toMatchObject({
      wallet: key.address,
    });
  });

  it('accepts a clock that differs by a minute', async () => {
    const ahead = { issuedAt: now + 58n, expiresAt: now + 358n };
    await expect(clientOf(ahead).authenticate(wallet(), net.genesisHash)).resolves.toBeDefined();
    const behind = { issuedAt: now - 60n, expiresAt: now + 240n };
    await expect(clientOf(behind).authenticate(wallet(), net.genesisHash)).resolves.toBeDefined();
  });

  it('rejects a challenge that was already signed', async () => {
    const client = clientOf();
    await client.authenticate(wallet(), net.genesisHash);
    const error: unknown = await client
      .authenticate(wallet(), net.genesisHash)
      .catch((thrown: unknown) => thrown);

    expect(isServiceError(error, 'CHALLENGE_REFUSED') && error.context.binding).toBe('nonce');
    expect(signed).toHaveLength(1);
  });

  it('rejects another genesis hash than the deployment’s, and an RPC of another cluster', async () => {
    await expect(clientOf().authenticate(wallet(), OTHER_GENESIS)).rejects.toMatchObject({
      code: 'GENESIS_HASH_MISMATCH',
      context: { source: 'argument' },
    });
    const elsewhere = Localnet.start({ slotMs: 'manual', seed: 'elsewhere' });
    const honest = clientOf();
    const client = new ServiceClient({ deployment: honest.deployment, baseUrl: ORIGIN, rpc: elsewhere.rpc });
    await expect(client.authenticate(wallet(), net.genesisHash)).rejects.toMatchObject({
      code: 'GENESIS_HASH_MISMATCH',
      context: { source: 'rpc', received: elsewhere.genesisHash },
    });
    await elsewhere.stop();
    expect(signed).toEqual([]);
  });

  it('posts no signature of another key or over another message', async () => {
    const other = await generateKeyPairSigner();
    const ofOtherKey = wallet({
      async signMessage(message) {
        const [signatures] = await other.signMessages([{ content: message, signatures: {} } as never]);
        return new Uint8Array(signatures![other.address]!);
      },
    });
    const altered = wallet({
      signMessage: (message) => wallet().signMessage(Uint8Array.from([...message, 0])),
    });
    for (const bad of [ofOtherKey, altered, wallet({ signMessage: async () => new Uint8Array(63) })]) {
      await expect(clientOf().authenticate(bad, net.genesisHash)).rejects.toMatchObject({
        code: 'WALLET_SIGNATURE_INVALID',
      });
    }
    expect(verified).toEqual([]);
  });

  it('reports that the person declined', async () => {
    const declined = wallet({ signMessage: () => Promise.reject(new Error('User rejected the request')) });
    await expect(clientOf().authenticate(declined, net.genesisHash)).rejects.toMatchObject({
      code: 'WALLET_REJECTED',
      message: expect.stringContaining('User rejected'),
    });
  });

  it('shows one prompt for concurrent calls of one wallet, and lets one of them abort', async () => {
    let open: () => void = () => undefined;
    const client = clientOf({}, new Promise<void>((resolve) => (open = resolve)));
    const controller = new AbortController();
    const first = client.authenticate(wallet(), net.genesisHash, { signal: controller.signal });
    const others = [1, 2].map(() => client.authenticate(wallet(), net.genesisHash));
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
      let prompt: () => void = () => undefined;
      const prompted = new Promise<void>((resolve) => (prompt = resolve));
      const signMessage = () => {
        prompt();
        return new Promise<never>(() => undefined);
      };
      const client = clientOf();
      const first = client.authenticate(wallet({ signMessage }), net.genesisHash);
      const ended = expect(first).rejects.toMatchObject({ code: 'TIMEOUT' });
      await prompted;
      await vi.advanceTimersByTimeAsync(300_000);
      await ended;
      const next = client.authenticate(wallet(), net.genesisHash);
      await expect(next).resolves.toMatchObject({ wallet: key.address });
    } finally {
      vi.useRealTimers();
    }
  });

  it('starts again for a call after all others were aborted', async () => {
    let open: () => void = () => undefined;
    const client = clientOf({}, new Promise<void>((resolve) => (open = resolve)));
    const controller = new AbortController();
    const first = client.authenticate(wallet(), net.genesisHash, { signal: controller.signal });
    controller.abort();
    const next = client.authenticate(wallet(), net.genesisHash);
    await expect(first).rejects.toMatchObject({ code: 'ABORTED' });
    open();

    await expect(next).resolves.toMatchObject({ wallet: key.address });
    expect(signed).toHaveLength(1);
  });

  it('stops before the prompt if every call was aborted, and leaves no listener', async () => {
    let open: () => void = () => undefined;
    const client = clientOf({}, new Promise<void>((resolve) => (open = resolve)));
    const controller = new AbortController();
    const removed = vi.spyOn(controller.signal, 'removeEventListener');
    const added = vi.spyOn(controller.signal, 'addEventListener');
    const both = [1, 2].map(() =>
      client.authenticate(wallet(), net.genesisHash, { signal: controller.signal }),
    );
    controller.abort();
    for (const call of both) await expect(call).rejects.toMatchObject({ code: 'ABORTED' });
    open();
    await new Promise((resolve) => setImmediate(resolve));

    expect(signed).toEqual([]);
    expect(removed.mock.calls.length).toBe(added.mock.calls.length);
  });
});
