/** Common mistakes of callers: each throws a code, the field, and what to pass instead. Nothing is sent or signed. */
import { MAX_PASS_AGE_LIMIT_SECONDS, MIN_PASS_AGE_SECONDS } from '@service/protocol';
import { generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ADDRESS, DEPLOYMENT } from '../../test/support/deployment.ts';
import * as chain from '../chain/index.ts';
import * as sdk from '../index.ts';
import { signerOf } from '../wallet/signer.ts';

// biome-ignore lint/suspicious/noExplicitAny: the tests call as JavaScript does, without types
type Untyped = any;
const { parseDeployment, parseWitnessFragment, ServiceClient, verifyReceipt }: Untyped = sdk;
const { closePass, createBindableMint, createTokenAccount, fetchPass, fundRuleSet, setMaxPassFee }: Untyped =
  chain;

const ID = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
const deployment = parseDeployment(DEPLOYMENT);
const clause = { regions: ['FR'], statuses: ['retail'], minAge: 18 };
const ruleSet = { name: 'Adults', clauses: [clause], maxPassAgeSeconds: 86_400n };
const funds = { rule: ADDRESS, lamports: 1n };
const notBase58 = '0'.repeat(88);
const issue = { mint: ADDRESS, destination: ADDRESS, amount: 1n };

let wallet: KeyPairSigner;
let requested: string[];
beforeAll(async () => {
  wallet = await generateKeyPairSigner();
});
beforeEach(() => {
  requested = [];
});

/** A client of a service that answers only the request for the session. */
const client = new ServiceClient({
  deployment,
  fetch: async (input: RequestInfo | URL) => {
    const { pathname } = new URL(new Request(input).url);
    if (pathname === '/api/auth/session') return Response.json({ wallet: ADDRESS });
    requested.push(pathname);
    const error = { code: 'AUTHENTICATION_REQUIRED', message: 'Sign in again.', requestId: 'r-1' };
    return Response.json({ error }, { status: 401 });
  },
});

const refusal = (code: string, field: string | undefined, text: string) => ({
  name: 'ServiceError',
  code,
  context: field === undefined ? {} : { field },
  message: expect.stringContaining(text),
});

describe('INVALID_ARGUMENT names the argument that is missing or wrong', () => {
  it.each<[string, string, () => unknown]>([
    ['new ServiceClient()', 'options', () => new ServiceClient()],
    ['a deployment as text', 'deployment', () => new ServiceClient({ deployment: '{}' })],
    ['an rpc as text', 'rpc', () => new ServiceClient({ deployment, rpc: 'http://localhost' })],
    ['an origin with a path', 'origin', () => new ServiceClient({ deployment, origin: 'https://a.b/c' })],
    [
      'a client with a cap as a number',
      'maxPriorityFeeLamports',
      () => new ServiceClient({ deployment, maxPriorityFeeLamports: 10_000 }),
    ],
    [
      'a write with a cap as a number',
      'maxPriorityFeeLamports',
      () => client.createRuleSet(wallet, ruleSet, { maxPriorityFeeLamports: 10_000 }),
    ],
    ['createRuleSet(wallet)', 'request', () => client.createRuleSet(wallet)],
    ['createRuleSet(request, wallet)', 'wallet', () => client.createRuleSet(ruleSet, wallet)],
    ['issue(request)', 'wallet', () => client.issue(issue)],
    ['prove(wallet)', 'request', () => client.prove(wallet)],
    ['prove(wallet, { witness })', 'rule', () => client.prove(wallet, { witness: {} })],
    ['prepare.transfer()', 'request', () => client.prepare.transfer()],
    ['startVerification()', 'request', () => client.startVerification()],
    ['proofContext()', 'request', () => client.proofContext()],
    ['proofContext(rule)', 'request', () => client.proofContext(ADDRESS)],
    ['checkTransfer()', 'mint', () => client.checkTransfer()],
    // As from a storage that is empty or has something else.
    ...['waitForOperation', 'fetchReceipt'].flatMap((call): [string, string, () => unknown][] => [
      [`${call}(null)`, 'operationId', () => client[call](null)],
      [`${call}([id])`, 'operationId', () => client[call]([ID])],
      [`${call} with a wallet of null`, 'wallet', () => client[call](ID, { wallet: null })],
      [`${call} with an invalid wallet`, 'wallet', () => client[call](ID, { wallet: 'me' })],
      [`${call} with a signature of null`, 'signature', () => client[call](ID, { signature: null })],
      [
        `${call} with a signature not in base58`,
        'signature',
        () => client[call](ID, { signature: notBase58 }),
      ],
      [`${call} with a short signature`, 'signature', () => client[call](ID, { signature: 'z'.repeat(64) })],
    ]),
    ['a preparedAt as a number', 'preparedAt', () => client.waitForOperation(ID, { preparedAt: 1 })],
    ['verifyReceipt(receipt)', 'options', () => verifyReceipt('{}')],
    ['verifyReceipt(receipt, { rpc: url })', 'rpc', () => verifyReceipt('{}', { rpc: 'http://a' })],
    ['authenticate(hash, wallet)', 'wallet', () => client.authenticate(deployment.genesisHash, wallet)],
    ['fundRuleSet without deployment', 'deployment', () => fundRuleSet(wallet, funds)],
    ...[0n, -1n, 2n ** 64n].map((lamports): [string, string, () => unknown] => [
      `fundRuleSet of ${lamports} lamports`,
      'lamports',
      () => fundRuleSet(wallet, { ...funds, deployment, lamports }),
    ]),
    ['fundRuleSet(wallet)', 'options', () => fundRuleSet(wallet)],
    ...[-1n, 2n ** 64n].map((lamports): [string, string, () => unknown] => [
      `setMaxPassFee of ${lamports} lamports`,
      'lamports',
      () => setMaxPassFee(wallet, { ...funds, deployment, lamports }),
    ]),
    ['fetchPass without wallet', 'wallet', () => fetchPass({ deployment, rule: ADDRESS })],
    ['fetchPass()', 'options', () => fetchPass()],
    ['closePass without rule', 'rule', () => closePass(wallet, { deployment })],
    ['createTokenAccount without mint', 'mint', () => createTokenAccount(wallet, { deployment })],
    ['createBindableMint(wallet)', 'options', () => createBindableMint(wallet)],
  ])('%s', async (_name, field, call) => {
    const error = await (async () => call())().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'ServiceError', code: 'INVALID_ARGUMENT' });
    expect((error as { context: { field: string } }).context.field).toMatch(new RegExp(`^${field}`));
    expect(requested).toEqual([]);
  });
});

describe('INVALID_REQUEST names the field and the values that it can have', () => {
  const outOfRange = [MIN_PASS_AGE_SECONDS - 1n, MAX_PASS_AGE_LIMIT_SECONDS + 1n, -1n, 2n ** 64n];
  const ofClause = (change: object) => ({ clauses: [{ ...clause, ...change }] });

  it.each<[string, object, string, string]>([
    ...outOfRange.map((maxPassAgeSeconds): [string, object, string, string] => [
      `passes of ${maxPassAgeSeconds} seconds`,
      { maxPassAgeSeconds },
      'maxPassAgeSeconds',
      'must be 3600 to 31622400 seconds',
    ]),
    ['maxPassAgeSeconds as a number', { maxPassAgeSeconds: 86_400 }, 'maxPassAgeSeconds', 'must be a bigint'],
    ['no minAge', ofClause({ minAge: undefined }), 'clauses.0.minAge', 'must be a number'],
    ['an age of 17.5', ofClause({ minAge: 17.5 }), 'clauses.0.minAge', 'must be a whole number'],
    ['an age of 200', ofClause({ minAge: 200 }), 'clauses.0.minAge', 'must be at most 120'],
    ['no regions', ofClause({ regions: [] }), 'clauses.0.regions', 'must have at least 1 entry'],
    ['a region without a list', ofClause({ regions: 'FR' }), 'clauses.0.regions', 'must be an array'],
    ['a region in lower case', ofClause({ regions: ['fr'] }), 'clauses.0.regions.0', "such as 'FR'"],
    ['an unknown status', ofClause({ statuses: ['rich'] }), 'clauses.0.statuses.0', "such as 'retail'"],
    ['an empty list of clauses', { clauses: [] }, 'clauses', 'must have at least 1 entry'],
    ['nine clauses', { clauses: Array(9).fill(clause) }, 'clauses', 'must have at most 8 entries'],
    ['no clauses', { clauses: undefined }, 'clauses', 'must be an array'],
    ['a clause of null', { clauses: [null] }, 'clauses.0.regions', 'must be an array'],
    ['a clause without a list', { clauses: clause }, 'clauses', 'must be an array'],
    ['an empty name', { name: '' }, 'name', 'must be at least 1 character long'],
    ['a nonce as a number', { nonce: 7 }, 'nonce', 'must be a bigint'],
  ])('%s', async (_name, change, field, text) => {
    const preparing = client.prepare.createRuleSet({ ...ruleSet, ...change });
    await expect(preparing).rejects.toMatchObject(refusal('INVALID_REQUEST', field, text));
    expect(requested).toEqual([]);
  });

  it('accepts the least and the greatest pass age of the program', async () => {
    for (const maxPassAgeSeconds of [MIN_PASS_AGE_SECONDS, MAX_PASS_AGE_LIMIT_SECONDS]) {
      const preparing = client.prepare.createRuleSet({ ...ruleSet, maxPassAgeSeconds });
      await expect(preparing).rejects.toMatchObject({ code: 'AUTHENTICATION_REQUIRED' });
    }
    expect(requested).toEqual(['/api/rules', '/api/rules']);
  });

  it('checks issues, proofs and verifications, too', async () => {
    const proof = { rule: ADDRESS, expiresAt: 1n, asOf: 1, proof: 'AAAA' };
    for (const [call, field, text] of [
      [() => client.prepare.issue({ ...issue, amount: 5 }), 'amount', 'must be a bigint'],
      [() => client.prepare.prove(proof), 'proof', '256 bytes'],
      [() => client.startVerification({ returnUrl: '/back' }), 'returnUrl', 'must be an absolute URL'],
      [
        () => client.startVerification({ returnUrl: 'https://a.b/', verifier: 1 as never }),
        'verifier',
        'must be a string',
      ],
    ] as const) {
      await expect(call()).rejects.toMatchObject(refusal('INVALID_REQUEST', field, text));
    }
    expect(requested).toEqual([]);
  });
});

describe('parseDeployment rejects a deployment', () => {
  const { rpcUrl: _, ...withoutRpc } = DEPLOYMENT;
  const withPath = { ...DEPLOYMENT, baseUrl: 'https://a.b/api' };

  it.each<[string, unknown, string, string]>([
    ['as text', JSON.stringify(DEPLOYMENT), 'deployment', 'must be an object. Pass the parsed content'],
    ['without rpcUrl', withoutRpc, 'deployment.rpcUrl', 'must be a string'],
    ['with a path in baseUrl', withPath, 'deployment.baseUrl', 'without a path'],
  ])('%s', (_name, value, field, text) => {
    const refused = expect.objectContaining(refusal('INVALID_ARGUMENT', field, text));
    expect(() => parseDeployment(value)).toThrow(refused);
  });
});

describe('the message contains the remedy', () => {
  it('for an invalid genesis hash', async () => {
    for (const hash of ['devnet', undefined]) {
      const message = expect.stringMatching(`genesisHash is ${hash},.*Pass deployment.genesisHash`);
      const error = { code: 'GENESIS_HASH_MISMATCH', message };
      await expect(client.authenticate(wallet, hash)).rejects.toMatchObject(error);
    }
  });

  it('for a call that needs a sign-in', async () => {
    await expect(client.passport()).rejects.toMatchObject({
      code: 'AUTHENTICATION_REQUIRED',
      message: 'Sign in again. Call client.authenticate(wallet, deployment.genesisHash). (GET /api/passport)',
    });
  });

  it('for a proof without a witness', async () => {
    const error = { code: 'WITNESS_INVALID', message: expect.stringContaining('it is missing') };
    await expect(client.prove(wallet, { rule: ADDRESS })).rejects.toMatchObject(error);
    expect(requested).toEqual([]);
  });
});

it('parseWitnessFragment accepts a whole URL as well as its fragment', () => {
  const salt = String(2n ** 200n);
  const witness = {
    wallet: ADDRESS,
    region: 'FR',
    status: 'retail',
    birthDate: '1990-05-17',
    salt,
    person: salt,
  };
  const encoded = Buffer.from(JSON.stringify(witness)).toString('base64url');
  expect(parseWitnessFragment(`https://app.example/verified?x=1#witness=${encoded}`)).toEqual(witness);
  expect(parseWitnessFragment(`witness=${encoded}`)).toEqual(witness);
  expect(parseWitnessFragment('https://app.example/verified?x=1')).toBeNull();
});

describe('a wallet', () => {
  const bytes = new Uint8Array(8);
  const walletWith = (answer: () => Promise<unknown>) =>
    signerOf({ address: wallet.address, signMessage: answer, signTransaction: answer } as never);

  it.each([{ signature: new Uint8Array(64) }, 'c2lnbmVk', undefined])(
    'that resolves to %j is rejected as invalid, not as declined',
    async (answer) => {
      const signer = walletWith(async () => answer);
      const invalid = (text: string) => refusal('INVALID_ARGUMENT', 'wallet', text);
      const ofMessage = invalid('signMessage must resolve to a Uint8Array of 64 bytes');
      await expect(signer.signMessage(bytes)).rejects.toMatchObject(ofMessage);
      const ofTransaction = invalid('signTransaction must resolve to a Uint8Array');
      await expect(signer.signTransaction(bytes)).rejects.toMatchObject(ofTransaction);
    },
  );

  it.each<[string, unknown, string]>([
    [
      'an Error with a full stop',
      new Error('User rejected the request.'),
      'User rejected the request. Nothing',
    ],
    ['an object', { code: 4001, message: 'User rejected' }, ': User rejected. Nothing'],
    ['an Error without a message', new Error(''), ': no reason given. Nothing'],
    ['nothing', undefined, ': no reason given. Nothing'],
  ])('that declines with %s is quoted in one sentence', async (_name, thrown, text) => {
    const signing = walletWith(() => Promise.reject(thrown)).signMessage(bytes);
    await expect(signing).rejects.toMatchObject(refusal('WALLET_REJECTED', undefined, text));
  });
});
