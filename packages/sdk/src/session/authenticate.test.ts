import { Localnet } from '@service/localnet';
import { type ChallengeFields, formatChallenge } from '@service/protocol';
import {
  type Address,
  createSolanaRpcFromTransport,
  generateKeyPairSigner,
  getBase64Encoder,
  type KeyPairSigner,
} from '@solana/kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { DEPLOYMENT, MAINNET_GENESIS } from '../../test/support/deployment.ts';
import type { ServiceClientOptions } from '../client/create-state.ts';
import { ServiceClient } from '../client/service-client.ts';
import { isServiceError } from '../errors.ts';
import { type Clock, machineClock } from '../lib/clock.ts';
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

interface ClientOptions extends Partial<Pick<ServiceClientOptions, 'clock' | 'rpc'>> {
  readonly gate?: () => Promise<void>;
}

let nonces = 0;
const aheadBy = (seconds: number): Clock => ({ ...machineClock, now: () => Date.now() + seconds * 1_000 });

function clientOf(
  changes: Partial<ChallengeFields> = {},
  { gate, ...options }: ClientOptions = {},
): ServiceClient {
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
    ...options,
  });
}

/** A client whose requests wait until `open` is called, a promise of the first one, and a controller for some calls. */
function gatedClient() {
  let [open, arrive] = [() => {}, () => {}];
  const opened = new Promise<void>((resolve) => (open = resolve));
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const gate = () => {
    arrive();
    return opened;
  };
  const client = clientOf({}, { gate });
  return { client, arrived, open: () => open(), controller: new AbortController() };
}

function signIn(client = clientOf(), by: PlainWallet | KeyPairSigner = wallet(), signal?: AbortSignal) {
  return client.authenticate(by, net.genesisHash, { signal });
}

describe('authenticate', () => {
  it('does not wait for the height, which only a write needs and an RPC can hold up', async () => {
    const silent = { send: () => new Promise(() => undefined) };
    const rpc = new Proxy(net.rpc, {
      get: (target, name) => (name === 'getLatestBlockhash' ? () => silent : Reflect.get(target, name)),
    });
    // No time limit ends the wait.
    const clock: Clock = { ...machineClock, limit: () => new Promise(() => undefined) };
    const client = clientOf({}, { rpc, clock });
    await expect(client.prepareSignIn(wallet(), net.genesisHash)).resolves.toEqual(expect.any(BigInt));
    expect(await signIn(client)).toMatchObject({ wallet: key.address });
  });

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

  it('accepts any clock of the device if the chain has the time of the message', async () => {
    net.setTime(now);
    net.advanceSlots(1);
    for (const seconds of [-3_600, -65, 65, 400, 3_600]) {
      const signing = signIn(clientOf({}, { clock: aheadBy(seconds) }));
      expect(await signing, `${seconds}`).toMatchObject({ wallet: key.address });
    }
  });

  it('asks the chain for the time only if the device does not agree', async () => {
    const time = vi.spyOn(net, 'transport');
    const asked = () => JSON.stringify(time.mock.calls).includes('SysvarC1ock');
    const rpc = createSolanaRpcFromTransport(net.transport) as never;
    await signIn(clientOf({}, { rpc }));
    expect(asked()).toBe(false);
    await signIn(clientOf({}, { rpc, clock: aheadBy(400) }));
    expect(asked()).toBe(true);
    time.mockRestore();
  });

  it('refuses a message that neither the device nor the chain agrees with, and says how wrong the clock is', async () => {
    net.setTime(now);
    net.advanceSlots(1);
    const refusals = [
      { issuedAt: now + 600n, expiresAt: now + 900n, binding: 'issuedAt', says: '10 minutes behind' },
      { issuedAt: now - 900n, expiresAt: now - 600n, binding: 'expiresAt', says: '15 minutes ahead of' },
    ];
    for (const { binding, says, ...times } of refusals) {
      const message = expect.stringContaining(`The clock of this device is ${says} the service's`);
      const error = { code: 'CHALLENGE_REFUSED', message, context: { binding } };
      await expect(signIn(clientOf(times)), binding).rejects.toMatchObject(error);
    }
    expect(signed).toEqual([]);
  });

  it('accepts a message for five minutes, and refuses one for a second more, whatever the clocks say', async () => {
    expect(await signIn(clientOf({ expiresAt: now + 300n }))).toBeDefined();
    const error = { code: 'CHALLENGE_REFUSED', context: { binding: 'expiresAt' } };
    // The device and the chain believe that it has less than five minutes left.
    const longer = clientOf({ issuedAt: now - 100n, expiresAt: now + 201n });
    await expect(signIn(longer)).rejects.toMatchObject(error);
    expect(signed).toHaveLength(1);
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
      // By the clock of the device, only 50 seconds are left.
      const client = clientOf({}, { clock: aheadBy(250) });
      const signing = signIn(client, wallet({ signMessage }));
      let isOver = false;
      const first = expect(signing.finally(() => (isOver = true))).rejects.toMatchObject({ code: 'TIMEOUT' });
      await vi.waitFor(() => expect(signMessage).toHaveBeenCalled());
      await vi.advanceTimersByTimeAsync(299_000);
      expect(isOver).toBe(false);
      await vi.advanceTimersByTimeAsync(1_000);
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
