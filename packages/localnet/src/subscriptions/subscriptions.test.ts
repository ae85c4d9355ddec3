import { generateKeyPairSigner } from '@solana/kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { INVALID_PARAMS, net, other, payer, useCluster } from '../../test/support/cluster.ts';
import { memoInstruction, SOL, transferInstruction } from '../../test/support/index.ts';
import { openSocket, type SocketClient } from '../../test/support/socket-client.ts';

const SYSTEM = '11111111111111111111111111111111';
const CLOCK = 'SysvarC1ock11111111111111111111111111111111';
const PROCESSED = { commitment: 'processed' };
const CONFIRMED = { commitment: 'confirmed' };

let client: SocketClient;

useCluster({ finalitySlots: 3 });
beforeEach(async () => {
  const { websocketUrls } = await net.listen({ port: 0 });
  client = await openSocket(websocketUrls[0]);
});
afterEach(() => net.stop());

/** The slot as a JSON number, `later` slots after the open one. */
const slotIn = (later: number) => Number(net.slot) + later;

describe('slotSubscribe and rootSubscribe', () => {
  it('notify of every slot with its parent and root, and of every root', async () => {
    const slots = await client.subscribe('slotSubscribe');
    const roots = await client.subscribe('rootSubscribe');
    const first = slotIn(1);
    net.advanceSlots(3);
    // The chain starts one slot after its root.
    const root = first - 2;
    const slot = (number: number, of: number) => ({
      jsonrpc: '2.0',
      method: 'slotNotification',
      params: { result: { slot: number, parent: number - 1, root: of }, subscription: slots },
    });
    expect(await client.notifications()).toEqual([
      slot(first, root),
      slot(first + 1, root),
      slot(first + 2, root + 1),
      { jsonrpc: '2.0', method: 'rootNotification', params: { result: root + 1, subscription: roots } },
    ]);
  });
});

describe('signatureSubscribe', () => {
  it('notifies once at its commitment and ends', async () => {
    const { wire, signature } = await net.signTransfer(SOL);
    const subscribe = (options: object) => client.subscribe('signatureSubscribe', signature, options);
    const [processed, confirmed] = [await subscribe(PROCESSED), await subscribe(CONFIRMED)];
    const finalized = await client.subscribe('signatureSubscribe', signature);
    await net.sendRaw({ wire });
    const notice = (subscription: number, slot: number) => ({
      jsonrpc: '2.0',
      method: 'signatureNotification',
      params: { result: { context: { slot }, value: { err: null } }, subscription },
    });
    const landed = slotIn(0);
    expect(await client.notifications()).toEqual([notice(processed, landed)]);
    net.advanceSlots(1);
    expect(await client.notifications()).toEqual([notice(confirmed, landed)]);
    net.advanceSlots(5);
    expect(await client.notifications()).toEqual([notice(finalized, landed)]);
    for (const ended of [processed, confirmed, finalized])
      expect(await client.call('signatureUnsubscribe', ended)).toMatchObject(INVALID_PARAMS);
  });

  it('notifies at once of a transaction that has the commitment, after the response', async () => {
    const signature = await net.landTransfer(SOL);
    net.advanceSlots(1);
    const order: unknown[] = [];
    client.socket.on('message', (data) => order.push(Object.keys(JSON.parse(data.toString()))[1]));
    const id = await client.subscribe('signatureSubscribe', signature, CONFIRMED);
    expect(await client.notifications()).toMatchObject([
      { params: { subscription: id, result: { context: { slot: slotIn(-1) }, value: { err: null } } } },
    ]);
    expect(order.slice(0, 2)).toEqual(['id', 'method']);
    await client.subscribe('signatureSubscribe', signature);
    expect(await client.results()).toEqual([]);
  });

  it('notifies of receipt first, if the client asks for it', async () => {
    const { wire, signature } = await net.signTransfer(SOL);
    const options = { ...CONFIRMED, enableReceivedNotification: true };
    await client.subscribe('signatureSubscribe', signature, options);
    await net.sendRaw({ wire });
    net.advanceSlots(1);
    const context = { slot: slotIn(-1) };
    expect(await client.results()).toEqual([
      { context, value: 'receivedSignature' },
      { context, value: { err: null } },
    ]);
  });

  it('reports the error of a transaction that failed', async () => {
    const { wire, signature } = await net.signTransfer(1000n * SOL);
    await client.subscribe('signatureSubscribe', signature, PROCESSED);
    await net.sendRaw({ wire });
    expect(await client.results()).toMatchObject([
      { value: { err: { InstructionError: [0, { Custom: 1 }] } } },
    ]);
  });

  it('reports neither a dropped nor a forgotten transaction', async () => {
    const [dropped, forgotten] = [await net.signTransfer(1n), await net.signTransfer(2n)];
    for (const { signature } of [dropped, forgotten])
      await client.subscribe('signatureSubscribe', signature, CONFIRMED);
    await net.sendRaw(forgotten);
    net.dropTransactions(true);
    await net.sendRaw(dropped);
    net.forgetHistory();
    net.advanceSlots(5);
    expect(await client.results()).toEqual([]);
  });
});

describe('accountSubscribe', () => {
  it('notifies of each write at its commitment, in the encoding that the client chose', async () => {
    const finalized = await client.subscribe('accountSubscribe', other, { encoding: 'base64' });
    const parsed = { ...PROCESSED, encoding: 'jsonParsed' };
    const processed = await client.subscribe('accountSubscribe', other, parsed);
    await net.landTransfer(SOL);
    await net.landTransfer(2n * SOL);
    const landed = slotIn(0);
    const empty = { owner: SYSTEM, data: ['', 'base64'], executable: false, space: 0 };
    const notice = (subscription: number, lamports: bigint) => ({
      method: 'accountNotification',
      params: {
        subscription,
        result: {
          context: { slot: landed },
          value: { ...empty, lamports: Number(lamports) },
        },
      },
    });
    const [first, second, ...more] = await client.notifications();
    expect([first, second]).toMatchObject([notice(processed, SOL), notice(processed, 3n * SOL)]);
    expect(more).toEqual([]);
    net.advanceSlots(5);
    expect(await client.notifications()).toMatchObject([notice(finalized, 3n * SOL)]);
  });

  it('reports a closed account as empty, an airdrop of the test, and sysvars', async () => {
    const wallet = await generateKeyPairSigner();
    await client.subscribe('accountSubscribe', wallet.address, PROCESSED);
    net.airdrop(wallet.address, SOL);
    await net.land([payer, wallet], [transferInstruction(wallet.address, other, SOL)]);
    expect(await client.results()).toMatchObject([
      { value: { lamports: 1e9, data: '' } },
      { value: { lamports: 0, owner: SYSTEM, data: '', rentEpoch: 0 } },
    ]);
    await client.subscribe('accountSubscribe', CLOCK, { ...CONFIRMED, encoding: 'base64' });
    net.advanceSlots(2);
    expect(await client.results()).toMatchObject([
      { context: { slot: slotIn(-2) }, value: { space: 40 } },
      { context: { slot: slotIn(-1) }, value: { space: 40 } },
    ]);
  });

  it('replaces data that is too long for base58 by a text, as a validator does', async () => {
    const sysvar = 'SysvarS1otHashes111111111111111111111111111';
    const options = { ...PROCESSED, encoding: 'base58' };
    await client.subscribe('accountSubscribe', sysvar, options);
    await client.subscribe('accountSubscribe', sysvar, { ...options, dataSlice: { offset: 0, length: 1 } });
    net.advanceSlots(1);
    expect(await client.results()).toMatchObject([
      { value: { data: ['error: data too large for bs58 encoding', 'base58'], space: 20_488 } },
      { value: { data: [expect.stringMatching(/^\w+$/), 'base58'] } },
    ]);
  });
});

describe('programSubscribe', () => {
  it('notifies of the accounts of a program that match every filter', async () => {
    const all = await client.subscribe('programSubscribe', SYSTEM, { ...PROCESSED, encoding: 'base64' });
    const filters = [{ dataSize: 40 }, { memcmp: { offset: 0, bytes: '' } }];
    await client.subscribe('programSubscribe', SYSTEM, { ...PROCESSED, filters });
    await client.subscribe('programSubscribe', other, PROCESSED);
    await net.landTransfer(SOL);
    const notices = await client.notifications();
    expect(notices.map(({ params }) => params)).toMatchObject(
      [payer.address, other].map((pubkey) => ({
        subscription: all,
        result: { context: { slot: slotIn(0) }, value: { pubkey, account: { owner: SYSTEM } } },
      })),
    );
    expect(notices.map(({ method }) => method)).toEqual(['programNotification', 'programNotification']);
    const owner = 'Sysvar1111111111111111111111111111111111111';
    const found = await client.subscribe('programSubscribe', owner, { ...PROCESSED, filters });
    net.advanceSlots(1);
    expect(await client.notifications()).toMatchObject([
      { params: { subscription: found, result: { value: { pubkey: CLOCK, account: { space: 40 } } } } },
    ]);
  });
});

describe('logsSubscribe', () => {
  it('notifies of all transactions, or of those that mention an address', async () => {
    await client.subscribe('logsSubscribe', 'all', PROCESSED);
    await client.subscribe('logsSubscribe', { mentions: [other] }, CONFIRMED);
    const memo = await net.landByPayer(memoInstruction('hello'));
    const transfer = await net.landTransfer(SOL);
    const logs = expect.arrayContaining([expect.stringContaining('hello')]);
    expect(await client.results()).toMatchObject([
      { context: { slot: slotIn(0) }, value: { signature: memo, err: null, logs } },
      { value: { signature: transfer } },
    ]);
    net.advanceSlots(1);
    expect(await client.results()).toMatchObject([
      { context: { slot: slotIn(-1) }, value: { signature: transfer, err: null } },
    ]);
  });
});

it('ends each subscription when the client unsubscribes, and rejects an unknown id', async () => {
  const { signature, wire } = await net.signTransfer(SOL);
  for (const [kind, ...params] of [
    ['slot'],
    ['root'],
    ['signature', signature, PROCESSED],
    ['account', other, PROCESSED],
    ['program', SYSTEM, PROCESSED],
    ['logs', 'all', PROCESSED],
  ] as const) {
    const id = await client.subscribe(`${kind}Subscribe`, ...params);
    expect(await client.call(`${kind}Unsubscribe`, id)).toMatchObject({ result: true });
    expect(await client.call(`${kind}Unsubscribe`, id)).toMatchObject({
      error: { code: -32602, message: 'Invalid subscription id.' },
    });
  }
  await net.sendRaw({ wire });
  net.advanceSlots(10);
  expect(await client.results()).toEqual([]);
});

it('rejects invalid requests with JSON-RPC errors and keeps the connection', async () => {
  const zstd = { encoding: 'base64+zstd' };
  for (const [method, ...params] of [
    ['signatureSubscribe'],
    ['signatureSubscribe', other],
    ['signatureSubscribe', 'x'.repeat(1000)],
    ['accountSubscribe', 'x'],
    ['accountSubscribe', other, { commitment: 'recent' }],
    ['accountSubscribe', other, zstd],
    ['programSubscribe', SYSTEM, zstd],
    ['programSubscribe', SYSTEM, { filters: [{}] }],
    ['programSubscribe', SYSTEM, { filters: Array(5).fill({ dataSize: 1 }) }],
    ['logsSubscribe'],
    ['logsSubscribe', 'none'],
    ['logsSubscribe', { mentions: [] }],
    ['logsSubscribe', { mentions: [other, other] }],
    ['slotUnsubscribe'],
    ['slotUnsubscribe', 'x'],
  ]) {
    expect(await client.call(method as string, ...params), String(method)).toMatchObject(INVALID_PARAMS);
  }
  for (const method of ['blockSubscribe', 'blockUnsubscribe', 'getSlot', 'toString', 'toStringUnsubscribe'])
    expect(await client.call(method)).toMatchObject({ error: { code: -32601 } });

  const texts: string[] = [];
  client.socket.on('message', (data) => texts.push(data.toString()));
  const batch = ['slotSubscribe', 'rootSubscribe'].map((method, id) => ({ jsonrpc: '2.0', id: -id, method }));
  const ping = { jsonrpc: '2.0', method: 'ping' };
  for (const payload of ['{', '[]', '{"id":-3}', JSON.stringify(ping), JSON.stringify([ping])])
    client.socket.send(payload);
  client.socket.send(JSON.stringify(batch));
  net.advanceSlots(0);
  await client.results();
  expect(texts.slice(0, 3).map((text) => JSON.parse(text))).toMatchObject([
    { id: null, error: { code: -32700 } },
    { id: -3, error: { code: -32600 } },
    [{ result: expect.any(Number) }, { result: expect.any(Number) }],
  ]);
});
