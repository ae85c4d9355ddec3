/** Receipts: the client makes them from what its RPC shows, any RPC can check them, and every edited field is rejected. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { transferInstruction } from '@service/protocol';
import { type Receipt, type ServiceClient, verifyReceipt } from '@service/sdk';
import { callsTo, memoInstruction } from '@service/test-support';
import { generateKeyPairSigner, getBase64Decoder, getBase64Encoder, type Signature } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changedResponses } from '../support/changed-responses.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { addPowers } from '../support/issuer-powers.ts';
import { type Edit, flipped, nodeWith } from '../support/node.ts';
import { useMarket } from './support/market.ts';

const market = useMarket();
let receipts: Receipt[];

beforeAll(async () => {
  const { client, signer } = market.issuer;
  const { mint, source, destination, adults } = market;
  const free = await market.createMint();
  const ids: string[] = [];
  const options = { onPrepared: ({ operationId }: { operationId: string }) => void ids.push(operationId) };
  const party = await market.party();
  receipts = await market.live(async () => {
    const { rule } = await client.createRuleSet(signer, adults, options);
    await client.bindMint(signer, { mint: free, rule, requireSource: false }, options);
    await client.issue(signer, { mint, destination: source, amount: 7n }, options);
    await client.transfer(signer, { mint, source, destination, amount: 5n }, options);
    const made = await Promise.all(ids.map((id) => client.fetchReceipt(id)));
    await party.client.prove(party.signer, { rule: market.rule, witness: party.witness }, options);
    return [...made, await party.client.fetchReceipt(ids.at(-1)!), ...(await receiptsOfActs())];
  });
});

/** Returns a receipt of each act of an issuer. */
async function receiptsOfActs(): Promise<Receipt[]> {
  const { client, signer } = market.issuer;
  const { rule, ...accounts } = await addPowers(market.world, signer, {
    holder: market.holder.signer.address,
  });
  const { mint, source } = accounts;
  const [one, other] = [await generateKeyPairSigner(), await generateKeyPairSigner()];
  const time = BigInt(market.world.net.time) + 7_200n;
  const acts = [
    await client.recover(signer, { ...accounts, amount: 5n, reason: 'lost-key' }),
    await client.redeem(signer, { mint, source, amount: 7n, reason: 'court-order' }),
    await client.suspend(signer, { rule, holder: one.address, until: time }),
    await client.grant(signer, { rule, holder: other.address, expiresAt: time }),
    await client.grant(signer, { rule, holder: other.address, expiresAt: 0n }),
  ];
  return Promise.all(acts.map(({ operationId }) => client.fetchReceipt(operationId)));
}

const check = (receipt: unknown, options = {}) =>
  verifyReceipt(receipt, { rpc: market.world.net.rpc, ...options });
const receiptOf = (kind: string) => receipts.find((receipt) => receipt.kind === kind)!;
/** Checks that a receipt is rejected because of a field. */
const expectInvalid = (checking: Promise<unknown>, field: unknown, context: object = {}) =>
  expectRefusal(checking, 'RECEIPT_INVALID', { context: { field, ...context } });

test('of every kind are portable JSON that is valid on chain', async () => {
  const acts = ['RECOVER', 'REDEEM', 'SUSPEND', 'GRANT', 'GRANT'];
  const kinds = ['CREATE_RULE_SET', 'BIND_MINT', 'ISSUE', 'TRANSFER', 'PROVE', ...acts];
  expect(receipts.map(({ kind }) => kind)).toEqual(kinds);
  for (const receipt of receipts) {
    const lines: string[] = [];
    const { program } = market.deployment;
    const onCheck = (line: string) => lines.push(line);
    expect(await check(JSON.stringify(receipt), { onCheck, program })).toEqual(receipt);
    expect(lines).toHaveLength(8);
  }
  const { mint, source, destination } = market;
  const receipt = receiptOf('TRANSFER');
  expect(receipt).toMatchObject({
    version: 1,
    mint,
    source,
    destination,
    amount: '5',
    wallet: market.issuer.signer.address,
    memo: `service:v1:${receipt.operationId}`,
  });
});

test('of an ended grant name the pass, because the transaction does not name the holder', async () => {
  const [granted, ended] = receipts.filter(({ kind }) => kind === 'GRANT') as [GrantReceipt, GrantReceipt];
  expect(ended).toMatchObject({ rule: granted.rule, pass: granted.pass, passExpiresAt: '0' });
  expect(ended.holder).toBeUndefined();
  await expectInvalid(check({ ...ended, holder: granted.holder }), 'holder');
  await expectInvalid(check({ ...granted, holder: undefined }), 'holder');
});

type GrantReceipt = Extract<Receipt, { kind: 'GRANT' }>;
type TransferReceipt = Extract<Receipt, { kind: 'TRANSFER' }>;

describe('an edited receipt', () => {
  test('is rejected in every field of every kind, and the field is named', async () => {
    const address = (await generateKeyPairSigner()).address;
    for (const receipt of receipts) {
      const other = receipts.find(({ signature }) => signature !== receipt.signature)!;
      const edits: Record<string, unknown> = {
        version: 2,
        kind: 'FAKE',
        signature: other.signature,
        operationId: other.operationId,
        genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
        memo: other.memo,
        reason: 'error',
        messageDigest: 'ab'.repeat(32),
      };
      const edit = (field: string, value: unknown) => {
        if (field in edits) return edits[field];
        if (typeof value === 'boolean') return !value;
        return /^\d+$/.test(String(value)) ? `${BigInt(String(value)) + 1n}` : address;
      };
      for (const [field, value] of Object.entries(receipt)) {
        const refusal = await check({ ...receipt, [field]: edit(field, value) }).catch((error) => error);
        // A signature of another operation leads to another slot, wallet or message. The first difference is named.
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

  test('is rejected with a missing field, an extra field, another kind, or as text that is not JSON', async () => {
    const receipt = receiptOf('ISSUE');
    for (const field of Object.keys(receipt)) {
      const { [field]: _missing, ...rest } = { ...receipt } as Record<string, unknown>;
      await expect(check(rest), field).rejects.toMatchObject({ code: 'RECEIPT_INVALID' });
    }
    await expectInvalid(check({ ...receipt, note: 'paid' }), 'note');
    const { source: _source, ...asIssue } = receiptOf('TRANSFER') as TransferReceipt;
    await expectInvalid(check({ ...asIssue, kind: 'ISSUE' }), 'kind');
    await expectInvalid(check({ ...receipt, kind: 'TRANSFER', source: market.source }), 'kind');
    // In a text of this length a pattern fails before it finds the end.
    await expectInvalid(check(JSON.stringify({ memo: 'a'.repeat(2e7) })), 'receipt');
    await expectInvalid(check('{'), 'receipt');
    await expectInvalid(check({ ...receipt, amount: '07' }), 'amount');
  });

  test('is rejected with a key twice: a person reads the first, a program the last', async () => {
    const text = JSON.stringify(receiptOf('TRANSFER'));
    const doubled = ['{"amount":"1000000",', '{"am\\u006funt" : "1000000",', '{"amount":{"amount":"1"},'];
    for (const start of doubled) await expectInvalid(check(text.replace('{', start)), 'amount');
    const value = text.replace('"TRANSFER"', '"TRANS\\u0046ER"');
    await expect(check(value)).resolves.toMatchObject({ kind: 'TRANSFER' });
  });

  test('cannot write control characters to the terminal of the person who checks it', async () => {
    const overwriting = '\u001b[2J\u001b[Hok  The receipt holds\n\u202e';
    for (const edited of [{ [overwriting]: 1 }, { memo: overwriting }]) {
      const refusal = await check({ ...receiptOf('TRANSFER'), ...edited }).catch((error: unknown) => error);
      expect(refusal).toMatchObject({ code: 'RECEIPT_INVALID' });
      const { message, context } = refusal as { message: string; context: object };
      expect(message + Object.values(context).join('')).not.toMatch(/\p{Cc}|\p{Cf}/u);
    }
  });

  test('of a transaction whose memo is not one of the service is rejected', async () => {
    const { signer } = market.issuer;
    const receipt = receiptOf('TRANSFER') as TransferReceipt;
    const { mint, source, destination, rule, world } = market;
    const action = await transferInstruction(
      world.program,
      { kind: 'TRANSFER', wallet: signer.address, mint, source, destination, amount: 5n },
      {
        rule,
        requireSource: true,
        readsCredential: false,
        decimals: 2,
        sourceOwner: signer.address,
        destinationOwner: market.holder.signer.address,
      },
    );
    const { sign, sendRaw } = callsTo(world.net);
    const signed = await sign([signer], [memoInstruction(receipt.operationId), action]);
    await sendRaw(signed);
    const { slot } = world.net;
    await world.finalize();
    const message = Buffer.from(signed.wire, 'base64').subarray(65);
    const digest = await crypto.subtle.digest('SHA-256', message);
    const made = {
      ...receipt,
      signature: signed.signature,
      slot: `${slot}`,
      memo: receipt.operationId,
      messageDigest: Buffer.from(digest).toString('hex'),
    };
    await expectInvalid(check(made), 'memo');
  });

  test('of another program is rejected when the program is passed', async () => {
    const program = (await generateKeyPairSigner()).address;
    await expectInvalid(check(receiptOf('PROVE'), { program }), 'program');
  });
});

describe('an RPC', () => {
  interface Found {
    readonly meta: object;
    readonly transaction: [string, string];
  }
  /** Checks a receipt with an RPC that changes the transaction. */
  const checkWith = (getTransaction: Edit) =>
    check(receiptOf('TRANSFER'), { rpc: nodeWith(market.world.net, { getTransaction }) });
  const received = (text: string) => ({ received: expect.stringContaining(text) });

  test('cannot show a message that the wallet did not sign', async () => {
    const checking = checkWith((found: Found) => {
      const wire = new Uint8Array(getBase64Encoder().encode(found.transaction[0]));
      // A byte of the blockhash: only the digest of the receipt depends on it.
      const changed = flipped(wire, wire.length - 120);
      return { ...found, transaction: [getBase64Decoder().decode(changed), 'base64'] };
    });
    await expectInvalid(checking, 'signature', received('another message'));
  });

  test('that shows an error, or no transaction, causes a rejection', async () => {
    const err = { InstructionError: [1, { Custom: 1 }] };
    const failing = checkWith((found: Found) => ({ ...found, meta: { ...found.meta, err } }));
    await expectInvalid(failing, 'signature', received('failed on chain'));
    await expectInvalid(
      checkWith(() => null),
      'signature',
      received('unknown'),
    );
  });

  test('that fails does not make the receipt invalid', async () => {
    market.world.net.pause();
    try {
      await expectRefusal(check(receiptOf('ISSUE')), 'RPC_ERROR', { retryable: true });
    } finally {
      market.world.net.resume();
    }
  });
});

describe('fetchReceipt', () => {
  /** Creates a client whose service returns operations with these changes. */
  async function changed(changes: object): Promise<ServiceClient> {
    const fetch = changedResponses(market.request, (record) => ({ ...record, ...changes }));
    const client = market.newClient({ fetch });
    await client.authenticate(market.issuer.signer, market.deployment.genesisHash);
    return client;
  }

  test('rejects a slot and a kind that the chain does not show', async () => {
    const { operationId } = receiptOf('TRANSFER');
    for (const [field, value] of Object.entries({ slot: '5', kind: 'ISSUE' })) {
      const client = await changed({ [field]: value });
      await expectRefusal(client.fetchReceipt(operationId), 'RECORD_MISMATCH', {
        context: { fields: [field] },
      });
    }
  });

  test('rejects a transaction of another operation or of another wallet', async () => {
    const { operationId, signature } = receiptOf('TRANSFER');
    const client = await changed({ signature: receiptOf('ISSUE').signature });
    await expectRefusal(client.fetchReceipt(operationId), 'UNEXPECTED_RESPONSE');

    const ofHolder = { wallet: market.holder.signer.address };
    const issuer = market.issuer.client;
    await expectRefusal(issuer.fetchReceipt(operationId, ofHolder), 'WALLET_MISMATCH');
    // The caller's storage may have got a signature from anybody, so it does not replace the check of the wallet.
    const both = { ...ofHolder, signature: signature as Signature };
    await expectRefusal(issuer.fetchReceipt(operationId, both), 'WALLET_MISMATCH');
    const other = await changed(ofHolder);
    await expectRefusal(other.fetchReceipt(operationId), 'WALLET_MISMATCH');
    await expectRefusal(other.fetchReceipt(operationId, ofHolder), 'UNEXPECTED_RESPONSE');
  });

  test('rejects an operation that is not final or that failed, and an invalid id', async () => {
    const { client, signer } = market.issuer;
    const { mint, source, world } = market;
    // Its owner has no pass.
    const destination = await market.tokenAccount(world.keys.payer.address);
    const prepared = await client.prepare.transfer({ mint, source, destination, amount: 1n });
    const { operationId } = prepared;
    const draft = { context: { answer: 'DRAFT' } };
    await expectRefusal(client.fetchReceipt(operationId), 'OUTCOME_UNKNOWN', draft);
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
    ({ url } = await market.world.net.listen({ port: 0 }));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const bin = path.resolve(import.meta.dirname, '../../packages/cli/src/main.ts');
  const run = (...args: string[]) =>
    new Promise<{ code: number; out: string; err: string }>((resolve) => {
      const node = ['--import', import.meta.resolve('tsx'), bin, ...args];
      // tsx then resolves the packages to their sources in any working directory.
      const env = {
        ...process.env,
        TSX_TSCONFIG_PATH: path.resolve(import.meta.dirname, '../../tsconfig.json'),
      };
      execFile(process.execPath, node, { cwd: folder, env }, (error, out, err) =>
        resolve({ code: Number(error?.code ?? 0), out, err }),
      );
    });

  test('prints each check on a line, and exits with 0, 1 or 2', async () => {
    const receipt = receiptOf('TRANSFER');
    const write = (file: string, value: object) => writeFile(path.join(folder, file), JSON.stringify(value));
    await write('good.json', receipt);
    await write('bad.json', { ...receipt, amount: '500' });
    await write('evil.json', { ...receipt, '\u001b[2J\u001b[Hok  The receipt holds': 1 });
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
    // It prints every field as it was checked, whatever the file looks like.
    for (const [field, value] of Object.entries(receipt))
      expect(good.out).toContain(`    ${field}: ${value}\n`);
    expect(evil).toMatchObject({ code: 1, out: '' });
    expect(evil.err).not.toMatch(/[^\n\P{C}]/u);
    expect(bad.code).toBe(1);
    expect(bad.err).toMatch(
      /RECEIPT_INVALID: The receipt is not valid because of its amount: it must be 5 and is 500/,
    );
    expect(none).toMatchObject({ code: 2, err: expect.stringContaining('--rpc URL') });
    expect(usage).toMatchObject({ code: 2, err: expect.stringContaining('Usage: npx @service/cli verify') });
    const rpcError = 'RPC_ERROR of the RPC http://127.0.0.1:1';
    expect(dead).toMatchObject({ code: 2, err: expect.stringContaining(rpcError) });
    expect(dead.err).toContain('The receipt could not be checked');
  });
});
