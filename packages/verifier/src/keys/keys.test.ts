import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { addressBytes } from '@service/contract';
import { type Address, getAddressDecoder } from '@solana/kit';
import nacl from 'tweetnacl';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fileAttestationKey, filePersonKey } from './file-keys.ts';
import { KeyError } from './keys.ts';
import { serviceAttestationKey, servicePersonKey } from './service-keys.ts';

const pair = nacl.sign.keyPair.fromSeed(new Uint8Array(32).fill(1));
const address = getAddressDecoder().decode(pair.publicKey) as Address;
const personKey = new Uint8Array(32).fill(2);
const message = new TextEncoder().encode('service:v1:credential and more');
const mac = createHmac('sha256', personKey).update(message).digest();

describe('keys in files', () => {
  it('sign by plain ed25519', async () => {
    const key = await fileAttestationKey(pair.secretKey);
    expect(key.address).toBe(address);
    expect(nacl.sign.detached.verify(message, await key.sign(message), addressBytes(address))).toBe(true);
  });

  it('make HMAC-SHA256', async () => {
    expect([...(await filePersonKey(personKey).mac(message))]).toEqual([...mac]);
  });

  it.each([0, 31, 33])('a person key of %d bytes is rejected', (length) => {
    expect(() => filePersonKey(new Uint8Array(length))).toThrow('personKey must be 32 bytes');
  });
});

describe('a key service', () => {
  let url: string;
  let answer: (body: { message: string }, response: ServerResponse, request: IncomingMessage) => void;
  let requests: { authorization: string | undefined; body: string }[];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    requests.push({ authorization: request.headers.authorization, body });
    answer(JSON.parse(body), response, request);
  });
  const json = (value: unknown) => (_body: unknown, response: ServerResponse) => {
    response.end(JSON.stringify(value));
  };
  const signedBy = (secretKey: Uint8Array) => (body: { message: string }, response: ServerResponse) => {
    const signature = nacl.sign.detached(Buffer.from(body.message, 'base64'), secretKey);
    response.end(JSON.stringify({ signature: Buffer.from(signature).toString('base64') }));
  };
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sign`;
  });
  beforeEach(() => {
    requests = [];
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('signs the message, and gets nothing but the message and its token', async () => {
    answer = signedBy(pair.secretKey);
    const signature = await serviceAttestationKey({ url, token: 't0k' }, address).sign(message);
    expect(nacl.sign.detached.verify(message, signature, pair.publicKey)).toBe(true);
    const body = JSON.stringify({ message: Buffer.from(message).toString('base64') });
    expect(requests).toEqual([{ authorization: 'Bearer t0k', body }]);
  });

  it('makes the same HMAC as a key in a file', async () => {
    answer = json({ mac: mac.toString('base64') });
    expect([...(await servicePersonKey({ url, token: 't' }).mac(message))]).toEqual([...mac]);
  });

  const otherKey = nacl.sign.keyPair.fromSeed(new Uint8Array(32).fill(9)).secretKey;
  it.each<[string, typeof answer]>([
    ['signs with another key', signedBy(otherKey)],
    ['signs another message', (_body, response) => signedBy(pair.secretKey)({ message: 'AAAA' }, response)],
    ['returns a short signature', json({ signature: 'AAAA' })],
    ['returns no signature', json({})],
    ['returns null', json(null)],
    ['returns no JSON', (_body, response) => void response.end('<html>')],
    ['fails', (_body, response) => void response.writeHead(500).end('{}')],
    [
      'redirects',
      (_body, response, request) => {
        if (request.url === '/other') return signedBy(pair.secretKey)(_body, response);
        response.writeHead(307, { location: '/other' }).end();
      },
    ],
    ['disconnects', (_body, response) => void response.destroy()],
    ['returns too much', json({ signature: 'A'.repeat(2_000) })],
  ])('that %s gives a KeyError', async (_what, badly) => {
    answer = badly;
    const key = serviceAttestationKey({ url, token: 'secret-token' }, address);
    const error = await key.sign(message).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(KeyError);
    expect(String(error)).not.toContain('secret-token');
    expect(requests.length).toBe(1);
  });

  it('that returns a short HMAC gives a KeyError', async () => {
    answer = json({ mac: 'AAAA' });
    await expect(servicePersonKey({ url, token: 't' }).mac(message)).rejects.toThrow(KeyError);
  });
});
