/** What newcomers pass by mistake: a code, the field, and what to pass instead. Nothing is sent, signed or thrown raw. */
import { MAX_PASS_AGE_LIMIT_SECONDS, MIN_PASS_AGE_SECONDS } from '@service/protocol';
import { generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { closePass, createBindableMint, createTokenAccount, fetchPass, fundRuleSet } from '../chain/index.ts';
import { parseDeployment, parseWitnessFragment, ServiceClient, verifyReceipt } from '../index.ts';
import { signerOf } from '../wallet/signer.ts';

const ID = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
const ADDRESS = '7cqE6AS4cxp6bj3NQ3iX4su4xcDtMQNitRVR21RirKVi';
const DEPLOYMENT = {
  program: ADDRESS,
  genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  artifactsDigest: 'a'.repeat(64),
  rpcUrl: 'http://127.0.0.1:1',
  verifierOrigins: ['http://localhost:3001'],
  baseUrl: 'https://app.example',
};
const deployment = parseDeployment(DEPLOYMENT);
const clause = { regions: ['FR'], statuses: ['retail'], minAge: 18 };
const ruleSet = { name: 'Adults', clauses: [clause], maxPassAgeSeconds: 86_400n };
const issue = { mint: ADDRESS, destination: ADDRESS, amount: 1n };

let wallet: KeyPairSigner;
let asked: string[];
beforeAll(async () => {
  wallet = await generateKeyPairSigner();
});
beforeEach(() => {
  asked = [];
});

/** A service that knows the session, and is asked for nothing else. Without types, as from JavaScript. */
function client(session: string | null = ADDRESS): Untyped {
  const fetch = async (input: RequestInfo | URL) => {
    const { pathname } = new URL(new Request(input).url);
    if (pathname === '/api/auth/session') return Response.json({ wallet: session });
    asked.push(pathname);
    const error = { code: 'AUTHENTICATION_REQUIRED', message: 'Sign in again.', requestId: 'r-1' };
    return Response.json({ error }, { status: 401 });
  };
  return new ServiceClient({ deployment, fetch }) as unknown as Untyped;
}

// biome-ignore lint/suspicious/noExplicitAny: callers without types are what this is about
type Untyped = any;
const untyped = <T>(value: T) => value as Untyped;

const refusal = (code: string, field: string | undefined, says: string) => ({
  name: 'ServiceError',
  code,
  context: field === undefined ? {} : { field },
  message: expect.stringContaining(says),
});

describe('a call without what it needs is INVALID_ARGUMENT', () => {
  it.each<[string, string, () => unknown]>([
    ['new ServiceClient()', 'options', () => new (untyped(ServiceClient))()],
    ['a deployment as text', 'deployment', () => new ServiceClient({ deployment: untyped('{}') })],
    ['an rpc as text', 'rpc', () => new ServiceClient({ deployment, rpc: untyped('http://localhost') })],
    [
      'an origin with a path',
      'origin',
      () => new ServiceClient({ deployment, origin: 'https://a.example/b' }),
    ],
    ['createRuleSet(wallet)', 'request', () => client().createRuleSet(wallet)],
    ['createRuleSet(request, wallet)', 'wallet', () => client().createRuleSet(ruleSet, wallet)],
    ['issue(request)', 'wallet', () => client().issue(issue)],
    ['prove(wallet)', 'request', () => client().prove(wallet)],
    ['prove(wallet, { witness })', 'rule', () => client().prove(wallet, { witness: {} })],
    ['prepare.transfer()', 'request', () => client().prepare.transfer()],
    ['startVerification()', 'request', () => client().startVerification()],
    ['proofContext()', 'request', () => client().proofContext()],
    ['proofContext(rule)', 'request', () => client().proofContext(ADDRESS)],
    ['checkTransfer()', 'mint', () => client().checkTransfer()],
    // As a storage gives that has nothing, or something else.
    ...(['waitForOperation', 'fetchReceipt'] as const).flatMap((call): [string, string, () => unknown][] => [
      [`${call}(null)`, 'operationId', () => client()[call](null)],
      [`${call}([id])`, 'operationId', () => client()[call]([ID])],
      [`${call} of a wallet of null`, 'wallet', () => client()[call](ID, { wallet: null })],
      [`${call} of no wallet`, 'wallet', () => client()[call](ID, { wallet: 'me' })],
      [`${call} of a signature of null`, 'signature', () => client()[call](ID, { signature: null })],
      [
        `${call} of a signature in other letters`,
        'signature',
        () => client()[call](ID, { signature: '0'.repeat(88) }),
      ],
      [`${call} of a short signature`, 'signature', () => client()[call](ID, { signature: 'z'.repeat(64) })],
    ]),
    [
      'waitForOperation with a time as a number',
      'preparedAt',
      () => client().waitForOperation(ID, { preparedAt: 1 }),
    ],
    ['verifyReceipt(receipt)', 'options', () => untyped(verifyReceipt)('{}')],
    ['verifyReceipt(receipt, { rpc: url })', 'rpc', () => verifyReceipt('{}', untyped({ rpc: 'http://a' }))],
    [
      'authenticate(genesisHash, wallet)',
      'wallet',
      () => client().authenticate(deployment.genesisHash, wallet),
    ],
    [
      'fundRuleSet without deployment',
      'deployment',
      () => fundRuleSet(wallet, untyped({ rule: ADDRESS, lamports: 1n })),
    ],
    ...[0n, -1n, 2n ** 64n].map((lamports): [string, string, () => unknown] => [
      `fundRuleSet of ${lamports} lamports`,
      'lamports',
      () => fundRuleSet(wallet, untyped({ deployment, rule: ADDRESS, lamports })),
    ]),
    ['fundRuleSet(wallet)', 'options', () => untyped(fundRuleSet)(wallet)],
    ['fetchPass without wallet', 'wallet', () => fetchPass(untyped({ deployment, rule: ADDRESS }))],
    ['fetchPass()', 'options', () => untyped(fetchPass)()],
    ['closePass without rule', 'rule', () => closePass(wallet, untyped({ deployment }))],
    ['createTokenAccount of no mint', 'mint', () => createTokenAccount(wallet, untyped({ deployment }))],
    ['createBindableMint(wallet)', 'options', () => untyped(createBindableMint)(wallet)],
  ])('%s', async (_name, field, call) => {
    const error = await (async () => call())().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'ServiceError', code: 'INVALID_ARGUMENT' });
    expect((error as { context: { field: string } }).context.field).toMatch(new RegExp(`^${field}`));
    expect(asked).toEqual([]);
  });
});

describe('a request that the service cannot take names the field and what it must be', () => {
  it.each<[string, object, string, string]>([
    ...[MIN_PASS_AGE_SECONDS - 1n, MAX_PASS_AGE_LIMIT_SECONDS + 1n, -1n, 2n ** 64n].map(
      (maxPassAgeSeconds): [string, object, string, string] => [
        `passes of ${maxPassAgeSeconds} seconds`,
        { maxPassAgeSeconds },
        'maxPassAgeSeconds',
        'must be 3600 to 31622400 seconds',
      ],
    ),
    ['maxPassAgeSeconds as a number', { maxPassAgeSeconds: 86_400 }, 'maxPassAgeSeconds', 'must be a bigint'],
    [
      'no minAge',
      { clauses: [{ regions: ['FR'], statuses: ['retail'] }] },
      'clauses.0.minAge',
      'must be a number',
    ],
    [
      'an age of 17.5',
      { clauses: [{ ...clause, minAge: 17.5 }] },
      'clauses.0.minAge',
      'must be a whole number',
    ],
    ['an age of 200', { clauses: [{ ...clause, minAge: 200 }] }, 'clauses.0.minAge', 'must be at most 120'],
    [
      'no regions',
      { clauses: [{ ...clause, regions: [] }] },
      'clauses.0.regions',
      'must have at least 1 entry',
    ],
    ['a region', { clauses: [{ ...clause, regions: 'FR' }] }, 'clauses.0.regions', 'must be an array'],
    ['a small region', { clauses: [{ ...clause, regions: ['fr'] }] }, 'clauses.0.regions.0', "such as 'FR'"],
    [
      'another status',
      { clauses: [{ ...clause, statuses: ['rich'] }] },
      'clauses.0.statuses.0',
      "such as 'retail'",
    ],
    ['no clause', { clauses: [] }, 'clauses', 'must have at least 1 entry'],
    ['nine clauses', { clauses: Array(9).fill(clause) }, 'clauses', 'must have at most 8 entries'],
    ['clauses left out', { clauses: undefined }, 'clauses', 'must be an array'],
    ['null for a clause', { clauses: [null] }, 'clauses.0.regions', 'must be an array'],
    ['a clause in place of the list', { clauses: clause }, 'clauses', 'must be an array'],
    ['no name', { name: '' }, 'name', 'must be at least 1 character long'],
    ['a nonce as a number', { nonce: 7 }, 'nonce', 'must be a bigint'],
  ])('%s', async (_name, change, field, says) => {
    const request = { ...ruleSet, ...change };
    await expect(client().prepare.createRuleSet(request)).rejects.toMatchObject(
      refusal('INVALID_REQUEST', field, says),
    );
    expect(asked).toEqual([]);
  });

  it('and the bounds are the program’s', async () => {
    for (const maxPassAgeSeconds of [MIN_PASS_AGE_SECONDS, MAX_PASS_AGE_LIMIT_SECONDS]) {
      const preparing = client().prepare.createRuleSet({ ...ruleSet, maxPassAgeSeconds });
      await expect(preparing).rejects.toMatchObject({ code: 'AUTHENTICATION_REQUIRED' });
    }
    expect(asked).toEqual(['/api/rules', '/api/rules']);
  });

  it('of issues, proofs and verifications, too', async () => {
    const { prepare, startVerification } = client();
    await expect(prepare.issue({ ...issue, amount: 5 })).rejects.toMatchObject(
      refusal('INVALID_REQUEST', 'amount', 'must be a bigint'),
    );
    await expect(prepare.prove({ rule: ADDRESS, expiresAt: 1n, proof: 'AAAA' })).rejects.toMatchObject(
      refusal('INVALID_REQUEST', 'proof', '256 bytes'),
    );
    await expect(startVerification.call(client(), { returnUrl: '/back' })).rejects.toMatchObject(
      refusal('INVALID_REQUEST', 'returnUrl', 'must be an absolute URL'),
    );
    expect(asked).toEqual([]);
  });
});

describe('a deployment that cannot be used', () => {
  it.each<[string, unknown, string, string]>([
    ['as text', JSON.stringify(DEPLOYMENT), 'deployment', 'must be an object. Pass the parsed content'],
    ['without rpcUrl', { ...DEPLOYMENT, rpcUrl: undefined }, 'deployment.rpcUrl', 'must be a string'],
    [
      'with baseUrl and a path',
      { ...DEPLOYMENT, baseUrl: 'https://a.b/api' },
      'deployment.baseUrl',
      'without a path',
    ],
  ])('%s', (_name, value, field, says) => {
    expect(() => parseDeployment(value)).toThrow(
      expect.objectContaining(refusal('INVALID_ARGUMENT', field, says)),
    );
  });
});

describe('the remedy is in the message', () => {
  it('of a genesis hash that is none', async () => {
    for (const hash of ['devnet', undefined]) {
      await expect(client().authenticate(wallet, hash)).rejects.toMatchObject({
        code: 'GENESIS_HASH_MISMATCH',
        message:
          expect.stringContaining(`genesisHash is ${hash},`) &&
          expect.stringContaining('Pass deployment.genesisHash'),
      });
    }
  });

  it('of a call that needs a sign-in', async () => {
    await expect(client().passport()).rejects.toMatchObject({
      code: 'AUTHENTICATION_REQUIRED',
      message: 'Sign in again. Call client.authenticate(wallet, deployment.genesisHash). (GET /api/passport)',
    });
  });

  it('of a proof without a witness', async () => {
    await expect(client().prove(wallet, { rule: ADDRESS })).rejects.toMatchObject({
      code: 'WITNESS_INVALID',
      message: expect.stringContaining('it is missing'),
    });
    expect(asked).toEqual([]);
  });
});

it('the witness is read from a whole URL as from its fragment', () => {
  const witness = { wallet: ADDRESS, region: 'FR', status: 'retail', birthDate: '1990-05-17', salt: '1' };
  const encoded = Buffer.from(JSON.stringify(witness)).toString('base64url');
  expect(parseWitnessFragment(`https://app.example/verified?x=1#witness=${encoded}`)).toEqual(witness);
  expect(parseWitnessFragment(`witness=${encoded}`)).toEqual(witness);
  expect(parseWitnessFragment('https://app.example/verified?x=1')).toBeNull();
});

describe('a wallet', () => {
  const bytes = new Uint8Array(8);
  const own = (answer: () => Promise<unknown>) =>
    signerOf({ address: wallet.address, signMessage: answer, signTransaction: answer } as never);

  it.each([{ signature: new Uint8Array(64) }, 'c2lnbmVk', undefined])(
    'that answers %j has not declined: it answers in another shape',
    async (answer) => {
      const signer = own(async () => answer);
      await expect(signer.signMessage(bytes)).rejects.toMatchObject(
        refusal('INVALID_ARGUMENT', 'wallet', 'signMessage must resolve to a Uint8Array of 64 bytes'),
      );
      await expect(signer.signTransaction(bytes)).rejects.toMatchObject(
        refusal('INVALID_ARGUMENT', 'wallet', 'signTransaction must resolve to a Uint8Array'),
      );
    },
  );

  it.each<[string, unknown, string]>([
    [
      'an Error with a full stop',
      new Error('User rejected the request.'),
      'User rejected the request. Nothing',
    ],
    ['an object', { code: 4001, message: 'User rejected' }, ': User rejected. Nothing'],
    ['an Error without words', new Error(''), ': no reason given. Nothing'],
    ['nothing', undefined, ': no reason given. Nothing'],
  ])('that declines with %s is quoted in one sentence', async (_name, thrown, says) => {
    await expect(own(() => Promise.reject(thrown)).signMessage(bytes)).rejects.toMatchObject(
      refusal('WALLET_REJECTED', undefined, says),
    );
  });
});
