/** Receipts: made by the client of what its RPC shows, checked against any RPC, refused when any field is edited. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MEMO_PROGRAM, transferInstruction } from '@service/protocol';
import { type Receipt, verifyReceipt } from '@service/sdk';
import {
  appendTransactionMessageInstructions,
  compileTransaction,
  createSolanaRpcFromTransport,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64Decoder,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getSignatureFromTransaction,
  pipe,
  type RpcTransport,
  type Signature,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransaction,
} from '@solana/kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../support/expect-refusal.ts';
import { type Market, startMarket } from './support/market.ts';

let market: Market;
let receipts: Receipt[];

beforeAll(async () => {
  market = await startMarket();
  const { issuer, mint, source, destination } = market;
  const free = await market.createMint();
  const ids: string[] = [];
  const options = { onPrepared: ({ operationId }: { operationId: string }) => void ids.push(operationId) };
  const party = await market.party();
  receipts = await market.live(async () => {
    const { rule } = await issuer.client.createRuleSet(
      issuer.signer,
      {
        name: 'Another',
        clauses: [{ regions: ['FR'], statuses: ['retail'], minAge: 0 }],
        maxPassAgeSeconds: 7_200n,
      },
      options,
    );
    await issuer.client.bindMint(issuer.signer, { mint: free, rule, requireSource: false }, options);
    await issuer.client.issue(issuer.signer, { mint, destination: source, amount: 7n }, options);
    await issuer.client.transfer(issuer.signer, { mint, source, destination, amount: 5n }, options);
    const made = await Promise.all(ids.map((id) => issuer.client.fetchReceipt(id)));
    await party.client.prove(party.signer, { rule: market.rule, witness: party.witness }, options);
    return [...made, await party.client.fetchReceipt(ids.at(-1)!)];
  });
});
afterAll(() => market?.close());

const copy = (receipt: Receipt): Record<string, unknown> => ({ ...receipt });
const check = (receipt: unknown, options = {}) =>
  verifyReceipt(receipt, { rpc: market.world.net.rpc, ...options });
const receiptOf = (kind: string) => receipts.find((receipt) => receipt.kind === kind)!;

test('of every kind, they are portable JSON and hold against the chain', async () => {
  expect(receipts.map(({ kind }) => kind)).toEqual([
    'CREATE_RULE_SET',
    'BIND_MINT',
    'ISSUE',
    'TRANSFER',
    'PROVE',
  ]);
  for (const receipt of receipts) {
    const lines: string[] = [];
    const text = JSON.stringify(receipt);
    const verified = await check(text, {
      onCheck: (line: string) => lines.push(line),
      program: market.deployment.program,
    });
    expect(verified).toEqual(receipt);
    expect(lines).toHaveLength(8);
  }
  expect(receiptOf('TRANSFER')).toMatchObject({
    version: 1,
    mint: market.mint,
    source: market.source,
    destination: market.destination,
    amount: '5',
    wallet: market.issuer.signer.address,
    memo: `service:v1:${receiptOf('TRANSFER').operationId}`,
  });
});

describe('an edited receipt', () => {
  const DIGEST = 'ab'.repeat(32);

  test('is refused in every field of every kind, and the field is named', async () => {
    const other = (await generateKeyPairSigner()).address;
    for (const receipt of receipts) {
      for (const [field, value] of Object.entries(receipt)) {
        const foreign = receipts.find(({ signature }) => signature !== receipt.signature)!;
        const edited: unknown =
          field === 'version'
            ? 2
            : field === 'kind'
              ? 'FAKE'
              : field === 'signature' || field === 'operationId'
                ? foreign[field]
                : field === 'genesisHash'
                  ? '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
                  : field === 'memo'
                    ? foreign.memo
                    : field === 'messageDigest'
                      ? DIGEST
                      : typeof value === 'boolean'
                        ? !value
                        : /^\d+$/.test(String(value))
                          ? `${BigInt(String(value)) + 1n}`
                          : other;
        const refusal = await check({ ...receipt, [field]: edited }).catch((error: unknown) => error);
        // A signature of another operation leads to another slot, wallet or message: the first that differs is named.
        const named = field === 'signature' ? expect.stringMatching(/slot|wallet|messageDigest/) : field;
        expect(refusal, `${receipt.kind}.${field}`).toMatchObject({
          code: 'RECEIPT_INVALID',
          context: { field: named },
          message: expect.stringMatching(
            /The receipt is not valid because of its \w+: it must be .+ and is .+\. \w/,
          ),
        });
      }
    }
  });

  test('is refused with a field less, a field more, another kind, or as no JSON', async () => {
    const receipt = receiptOf('ISSUE');
    for (const field of Object.keys(receipt)) {
      const { [field]: _gone, ...rest } = copy(receipt);
      await expect(check(rest), field).rejects.toMatchObject({ code: 'RECEIPT_INVALID' });
    }
    await expect(check({ ...receipt, note: 'paid' })).rejects.toMatchObject({ context: { field: 'note' } });
    const { source: _source, ...asIssue } = copy(receiptOf('TRANSFER'));
    await expect(check({ ...asIssue, kind: 'ISSUE' })).rejects.toMatchObject({ context: { field: 'kind' } });
    await expect(check({ ...receipt, kind: 'TRANSFER', source: market.source })).rejects.toMatchObject({
      context: { field: 'kind' },
    });
    // Of such a length a pattern fails before it finds the end.
    await expectRefusal(check(JSON.stringify({ memo: 'a'.repeat(2e7) })), 'RECEIPT_INVALID', {
      context: { field: 'receipt' },
    });
    await expect(check('{')).rejects.toMatchObject({ context: { field: 'receipt' } });
    await expect(check({ ...receipt, amount: '07' })).rejects.toMatchObject({ context: { field: 'amount' } });
  });

  test('is refused with a key twice: a person reads the first, a program the last', async () => {
    const text = JSON.stringify(receiptOf('TRANSFER'));
    const doubled = [
      text.replace('{', '{"amount":"1000000",'),
      text.replace('{', '{"am\\u006funt" : "1000000",'),
      text.replace('{', '{"amount":{"amount":"1"},'),
    ];
    for (const each of doubled) {
      await expect(check(each), each).rejects.toMatchObject({
        code: 'RECEIPT_INVALID',
        context: { field: 'amount' },
      });
    }
    const value = text.replace('"TRANSFER"', '"TRANS\\u0046ER"');
    await expect(check(value)).resolves.toMatchObject({ kind: 'TRANSFER' });
  });

  test('cannot write to the terminal of whoever checks it', async () => {
    const overwriting = '\u001b[2J\u001b[Hok  The receipt holds\n\u202e';
    for (const edited of [{ [overwriting]: 1 }, { memo: overwriting }]) {
      const refusal = await check({ ...receiptOf('TRANSFER'), ...edited }).catch((error: unknown) => error);
      expect(refusal).toMatchObject({ code: 'RECEIPT_INVALID' });
      const { message, context } = refusal as { message: string; context: object };
      expect(message + Object.values(context).join('')).not.toMatch(/\p{Cc}|\p{Cf}/u);
    }
  });

  test('of a transaction whose memo is not one of the service is refused', async () => {
    const { signer } = market.issuer;
    const receipt = receiptOf('TRANSFER') as Extract<Receipt, { kind: 'TRANSFER' }>;
    const memo = { programAddress: MEMO_PROGRAM, data: new TextEncoder().encode(receipt.operationId) };
    const { value } = await market.world.rpc.getLatestBlockhash().send();
    const owners = { sourceOwner: signer.address, destinationOwner: market.holder.signer.address };
    const action = await transferInstruction(
      market.world.program,
      {
        kind: 'TRANSFER',
        wallet: signer.address,
        mint: market.mint,
        source: market.source,
        destination: market.destination,
        amount: 5n,
      },
      { rule: market.rule, requireSource: true, decimals: 2, ...owners },
    );
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (draft) => setTransactionMessageFeePayer(signer.address, draft),
      (draft) => setTransactionMessageLifetimeUsingBlockhash(value, draft),
      (draft) => appendTransactionMessageInstructions([memo, action], draft),
    );
    const signed = await signTransaction([signer.keyPair], compileTransaction(message));
    const signature = getSignatureFromTransaction(signed);
    await market.world.rpc
      .sendTransaction(getBase64EncodedWireTransaction(signed), { encoding: 'base64' })
      .send();
    const { slot } = market.world.net;
    await market.world.finalize();
    const digest = await crypto.subtle.digest('SHA-256', Uint8Array.from(signed.messageBytes));
    const made = {
      ...receipt,
      signature,
      slot: `${slot}`,
      memo: receipt.operationId,
      messageDigest: Buffer.from(digest).toString('hex'),
    };
    await expect(check(made)).rejects.toMatchObject({ context: { field: 'memo' } });
  });

  test('of another program is refused when the program is given', async () => {
    const program = (await generateKeyPairSigner()).address;
    await expect(check(receiptOf('PROVE'), { program })).rejects.toMatchObject({
      context: { field: 'program' },
    });
  });
});

/** The cluster through a node that changes the transactions that it shows. */
function lying(change: (found: { slot: bigint; meta: object; transaction: [string, string] }) => unknown) {
  return createSolanaRpcFromTransport((async (request: Parameters<RpcTransport>[0]) => {
    const answer = (await market.world.net.transport(request)) as { result: never };
    const { method } = request.payload as { method: string };
    return method === 'getTransaction' && answer.result
      ? { ...answer, result: change(answer.result) }
      : answer;
  }) as RpcTransport);
}

describe('an RPC', () => {
  test('cannot show a message that the wallet did not sign', async () => {
    const receipt = receiptOf('TRANSFER');
    const rpc = lying((found) => {
      const wire = new Uint8Array(getBase64Encoder().encode(found.transaction[0]));
      // The blockhash: the receipt says nothing of it but by the digest.
      const at = wire.length - 120;
      wire[at] = wire[at]! ^ 1;
      return { ...found, transaction: [getBase64Decoder().decode(wire), 'base64'] };
    });
    await expectRefusal(check(receipt, { rpc }), 'RECEIPT_INVALID', {
      context: { field: 'signature', received: expect.stringContaining('not signed') },
    });
  });

  test('that shows an error, or nothing, refuses', async () => {
    const receipt = receiptOf('TRANSFER');
    const failing = lying((found) => ({
      ...found,
      meta: { ...found.meta, err: { InstructionError: [1, { Custom: 1 }] } },
    }));
    await expect(check(receipt, { rpc: failing })).rejects.toMatchObject({
      context: { field: 'signature', received: expect.stringContaining('failed on chain') },
    });
    await expect(check(receipt, { rpc: lying(() => null) })).rejects.toMatchObject({
      context: { field: 'signature', received: expect.stringContaining('none') },
    });
  });

  test('that fails is no refusal', async () => {
    market.world.net.pause();
    try {
      await expectRefusal(check(receiptOf('ISSUE')), 'RPC_ERROR', { retryable: true });
    } finally {
      market.world.net.resume();
    }
  });
});

describe('fetchReceipt', () => {
  /** A client whose service answers about operations with something changed. */
  const told = (change: (record: Record<string, unknown>) => object) =>
    market.newClient({
      fetch: async (input, init) => {
        const request = new Request(input, init);
        const answer = await market.world.created.app.request(request);
        if (!request.url.includes('/api/operations/')) return answer;
        return Response.json(change((await answer.json()) as Record<string, unknown>), {
          status: answer.status,
        });
      },
    });
  const signedIn = async (client: Market['issuer']['client']) => {
    await client.authenticate(market.issuer.signer, market.deployment.genesisHash);
    return client;
  };

  test('believes no slot and no kind that the chain does not show', async () => {
    const { operationId } = receiptOf('TRANSFER');
    for (const [field, value] of [
      ['slot', '5'],
      ['kind', 'ISSUE'],
    ]) {
      const client = await signedIn(told((record) => ({ ...record, [field!]: value })));
      await expect(client.fetchReceipt(operationId), field).rejects.toMatchObject({
        code: 'RECORD_MISMATCH',
        context: { fields: [field] },
      });
    }
  });

  test('takes no transaction of another operation, and none of another wallet', async () => {
    const { operationId } = receiptOf('TRANSFER');
    const other = receiptOf('ISSUE').signature as Signature;
    const client = await signedIn(told((record) => ({ ...record, signature: other })));
    await expectRefusal(client.fetchReceipt(operationId), 'UNEXPECTED_RESPONSE');

    const { issuer, holder } = market;
    await expectRefusal(
      issuer.client.fetchReceipt(operationId, { wallet: holder.signer.address }),
      'WALLET_MISMATCH',
    );
    // A signature beside it, which a storage may have got from anybody, makes the wallet no less asked for.
    const signature = receiptOf('TRANSFER').signature as Signature;
    await expectRefusal(
      issuer.client.fetchReceipt(operationId, { wallet: holder.signer.address, signature }),
      'WALLET_MISMATCH',
    );
    const foreign = await signedIn(told((record) => ({ ...record, wallet: holder.signer.address })));
    await expectRefusal(foreign.fetchReceipt(operationId), 'WALLET_MISMATCH');
    await expectRefusal(
      foreign.fetchReceipt(operationId, { wallet: holder.signer.address }),
      'UNEXPECTED_RESPONSE',
    );
  });

  test('has none of what is not final, failed, or is no operation', async () => {
    const { client, signer } = market.issuer;
    const { mint, source, destination } = market;
    const prepared = await client.prepare.transfer({ mint, source, destination, amount: 9_999_999n });
    const { operationId } = prepared;
    await expectRefusal(client.fetchReceipt(operationId), 'OUTCOME_UNKNOWN', {
      context: { answer: 'DRAFT' },
    });
    await client.signAndSubmit(signer, prepared);
    await expectRefusal(client.fetchReceipt(operationId), 'OUTCOME_UNKNOWN');
    await market.live(() => expectRefusal(client.waitForOperation(operationId), 'OPERATION_FAILED'));
    await expectRefusal(client.fetchReceipt(operationId), 'OPERATION_FAILED');
    await expectRefusal(client.fetchReceipt('mine'), 'INVALID_ARGUMENT');
  });
});

describe('the command', () => {
  let folder: string;
  let url: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'receipts-'));
    ({ url } = await market.world.net.listen());
  });
  afterAll(() => rm(folder, { recursive: true }));

  const bin = path.resolve(import.meta.dirname, '../../packages/sdk/src/bin/verify.ts');
  const run = (...args: string[]) =>
    new Promise<{ code: number; out: string; err: string }>((resolve) => {
      const node = ['--import', import.meta.resolve('tsx'), bin, ...args];
      execFile(process.execPath, node, { cwd: folder }, (error, out, err) =>
        resolve({ code: Number(error?.code ?? 0), out, err }),
      );
    });

  test('says line by line what holds, and ends with 0, 1 or 2', async () => {
    const receipt = receiptOf('TRANSFER');
    await writeFile(path.join(folder, 'good.json'), JSON.stringify(receipt));
    await writeFile(path.join(folder, 'bad.json'), JSON.stringify({ ...receipt, amount: '500' }));
    const overwriting = '\u001b[2J\u001b[Hok  The receipt holds';
    await writeFile(path.join(folder, 'evil.json'), JSON.stringify({ ...receipt, [overwriting]: 1 }));
    const [good, bad, none, usage, dead, evil] = await Promise.all([
      run('verify', 'good.json', '--rpc', url, '--program', market.deployment.program),
      run('verify', 'bad.json', '--rpc', url),
      run('verify', 'good.json'),
      run('good.json'),
      run('verify', 'good.json', '--rpc', 'http://127.0.0.1:1'),
      run('verify', 'evil.json', '--rpc', url),
    ]);
    expect(good).toMatchObject({ code: 0, err: '' });
    expect(good.out.match(/^ok /gm)).toHaveLength(8);
    expect(good.out).toContain('The receipt is valid:');
    // Every field, as it was checked: what the file looks like does not matter.
    for (const [field, value] of Object.entries(receipt))
      expect(good.out).toContain(`    ${field}: ${value}\n`);
    expect(evil).toMatchObject({ code: 1, out: '' });
    expect(evil.err).not.toMatch(/[^\n\P{C}]/u);
    expect(bad.code).toBe(1);
    expect(bad.err).toMatch(
      /RECEIPT_INVALID: The receipt is not valid because of its amount: it must be 5 and is 500/,
    );
    expect(none).toMatchObject({ code: 2, err: expect.stringContaining('--rpc URL') });
    expect(usage).toMatchObject({ code: 2, err: expect.stringContaining('Usage: npx @service/sdk verify') });
    expect(dead).toMatchObject({
      code: 2,
      err: expect.stringContaining('RPC_ERROR of the RPC http://127.0.0.1:1'),
    });
    expect(dead.err).toContain('The receipt could not be checked');
  });
});
