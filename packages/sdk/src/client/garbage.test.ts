/** Calls every public function with garbage, as JavaScript can. It succeeds or throws a ServiceError, never a TypeError. */
import { setMaxListeners } from 'node:events';
import { createSolanaRpcFromTransport, generateKeyPairSigner } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { ADDRESS, DEPLOYMENT } from '../../test/support/deployment.ts';
import * as chain from '../chain/index.ts';
import * as sdk from '../index.ts';

// biome-ignore lint/suspicious/noExplicitAny: the tests call as JavaScript does, without types
type Untyped = any;

const GARBAGE: readonly unknown[] = [
  undefined,
  null,
  true,
  0,
  Number.NaN,
  1n,
  '',
  'text',
  Symbol('garbage'),
  {},
  Object.create(null),
  [],
  [null],
  () => undefined,
  new Uint8Array(3),
  new Date(0),
];

const ID = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
const refused = {
  error: { code: 'ORIGIN_MISMATCH', message: 'The request came from another origin.', requestId: 'r-1' },
};
const deployment = sdk.parseDeployment(DEPLOYMENT);
const wallet = await generateKeyPairSigner();
const rpc = createSolanaRpcFromTransport(async () => {
  throw new sdk.ServiceError('RPC_ERROR', { message: 'The RPC does not answer.', retryable: false });
});
const fetch = async () => Response.json(refused, { status: 403 });
const client = new sdk.ServiceClient({ deployment, rpc, fetch }) as Untyped;

const mint = ADDRESS;
const rule = ADDRESS;
const issuing = { source: ADDRESS, destination: ADDRESS, amount: 1n, reason: 'other', nominee: ADDRESS };
const options = {
  ...{ deployment, rpc, rule, mint, wallet: ADDRESS, lamports: 1n, decimals: 2 },
  ...{ ...issuing, tokenAccount: ADDRESS },
};
const clauses = [{ regions: ['FR'], statuses: ['retail'], minAge: 18 }];
const proof = { rule, expiresAt: 1n, asOf: 1, proof: new Uint8Array(256) };
const witness = {
  wallet: ADDRESS,
  region: 'FR',
  status: 'retail',
  birthDate: '1990-05-17',
  salt: '1',
  person: '1',
};
const standard = { name: 'Wallet', features: { 'solana:signTransaction': {} } };
const account = { address: ADDRESS, features: ['solana:signTransaction'] };
const source = sdk.artifactsFrom({ digest: 'a'.repeat(64), url: 'http://127.0.0.1:1', fetch });
const ruleSet = { name: 'Adults', nonce: 1n, clauses, maxPassAgeSeconds: 86_400n };
const transfer = { mint, source: ADDRESS, destination: ADDRESS, amount: 1n };
const redemption = { mint, source: ADDRESS, amount: 1n, reason: 'other' };
const recovery = { ...redemption, destination: ADDRESS };
const grant = { rule, holder: ADDRESS, expiresAt: 1n };
const suspension = { rule, holder: ADDRESS, until: 1n };
const signal = new AbortController().signal;
// Starts of the prover wait for each other, and each adds a listener.
setMaxListeners(0, signal);
const writing = { idempotencyKey: 'key-of-a-test', timeoutMs: 1, onState() {}, onPrepared() {}, signal };

/** Arguments that each function accepts. */
const FUNCTIONS: Readonly<Record<string, readonly unknown[]>> = {
  artifactsFrom: [{ digest: 'a'.repeat(64), url: 'http://127.0.0.1:1', stallTimeoutMs: 1 }],
  buildEligibilityContext: [{}, {}, 1n],
  checkPlatform: [],
  disposeProver: [],
  generateEligibilityProof: [{}, witness, source, { signal, onProgress() {} }],
  isRegionCode: ['FR'],
  isServiceError: [new Error('no'), 'TIMEOUT'],
  isStatusCode: ['retail'],
  latestPassExpiry: [{ chainTime: 1n, ruleSet: { maxPassAgeSeconds: 1n }, credential: { expiresAt: 1n } }],
  parseDeployment: [DEPLOYMENT],
  parseReceipt: ['{}'],
  parseWitness: [witness],
  parseWitnessFragment: ['#witness=e30'],
  preloadProver: [source, { signal, onProgress() {} }],
  openWitness: [{ saved: '', deployment: DEPLOYMENT, wallet: ADDRESS, passphrase: 'a long passphrase' }],
  saveWitness: [{ witness, deployment: DEPLOYMENT, passphrase: 'a long passphrase' }],
  standardWallet: [standard, account, { chain: 'solana:devnet' }],
  takeWitnessFromLocation: [],
  tokenAccountOf: [{ mint, owner: ADDRESS }],
  verifyReceipt: ['{}', { rpc, deployment, signal }],
  walletFromKeyPair: [wallet.keyPair],
};

const CHAIN: Readonly<Record<string, readonly unknown[]>> = {
  acceptIssuer: [wallet, options],
  announceRule: [wallet, options],
  applyRule: [wallet, options],
  closePass: [wallet, options],
  discardCredential: [wallet, options],
  createBindableMint: [wallet, options],
  createTokenAccount: [wallet, options],
  fetchBinding: [options],
  fetchCredential: [options],
  fetchMint: [options],
  fetchPass: [options],
  fetchPlaces: [{ ...options, witness }],
  fetchPowers: [options],
  fetchGatedAccounts: [options],
  fetchHolders: [options],
  fetchRuleSet: [options],
  freezeAccount: [wallet, options],
  fundRuleSet: [wallet, options],
  issueMany: [wallet, { ...options, rows: [{ destination: ADDRESS, amount: 1n }], ledger: {} }],
  nominateIssuer: [wallet, options],
  pauseMint: [wallet, options],
  recover: [wallet, options],
  redeem: [wallet, options],
  resumeMint: [wallet, options],
  setMaxPassFee: [wallet, options],
  thawAccount: [wallet, options],
  freezeWithoutPass: [wallet, { ...options, owner: ADDRESS, tokenAccount: ADDRESS }],
  removeGate: [wallet, options],
  setGateAuthority: [wallet, { ...options, authority: ADDRESS }],
  setGate: [wallet, { ...options, honoursGranted: true, anyoneFreezes: true }],
  thawByPass: [wallet, { ...options, owner: ADDRESS, tokenAccount: ADDRESS }],
  tokenAccountOf: [{ mint, owner: ADDRESS }],
  withdrawPassFunds: [wallet, { ...options, lamports: 1n }],
};

const METHODS: Readonly<Record<string, readonly unknown[]>> = {
  authenticate: [wallet, deployment.genesisHash, { signal }],
  prepareSignIn: [wallet, deployment.genesisHash, { signal }],
  bindMint: [wallet, { mint, rule, requireSource: false }, writing],
  checkProof: [{ rule, witness }, { signal }],
  checkTransfer: [transfer, { signal }],
  config: [{ signal }],
  createRuleSet: [wallet, ruleSet, writing],
  fetchReceipt: [ID, { signal, wallet: ADDRESS }],
  grant: [wallet, grant, writing],
  recover: [wallet, recovery, writing],
  redeem: [wallet, redemption, writing],
  suspend: [wallet, suspension, writing],
  issue: [wallet, { mint, destination: ADDRESS, amount: 1n }, writing],
  logout: [{ signal }],
  network: [{ signal }],
  passport: [{ signal }],
  proofContext: [{ rule }, { signal }],
  prove: [wallet, proof, writing],
  ruleSets: [{ signal, pageSize: 1 }],
  session: [{ signal }],
  signAndSubmit: [wallet, {}, { signal }],
  ready: [{}, { signal }],
  startVerification: [{ returnUrl: 'https://app.example/back' }, { signal }],
  subscribe: [() => {}],
  getServerSnapshot: [],
  getSnapshot: [],
  transfer: [wallet, transfer, writing],
  waitForCredential: [{ signal, timeoutMs: 1 }],
  waitForOperation: [ID, { signal, timeoutMs: 1, onState() {}, preparedAt: 1n, wallet: ADDRESS }],
};

const PREPARE: Readonly<Record<string, readonly unknown[]>> = {
  bindMint: [{ mint, rule, requireSource: false }, writing],
  createRuleSet: [ruleSet, writing],
  grant: [grant, writing],
  recover: [recovery, writing],
  redeem: [redemption, writing],
  suspend: [suspension, writing],
  issue: [{ mint, destination: ADDRESS, amount: 1n }, writing],
  prove: [proof, writing],
  transfer: [transfer, writing],
};

const LOAD = [{ signal, onProgress() {} }];

/** Yields the arguments with garbage: in each place alone, in all places from one on, and in each field of an object. */
function* spoiled(valid: readonly unknown[]): Generator<readonly unknown[]> {
  yield [];
  for (const garbage of GARBAGE) {
    for (let place = 0; place <= valid.length; place += 1) {
      yield valid.map((value, index) => (index === place ? garbage : value));
      yield [...valid.slice(0, place), ...Array(3).fill(garbage)];
    }
    for (const [place, value] of valid.entries()) {
      if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
        continue;
      for (const field of Object.keys(value)) {
        // Without them the call would read the network of the default RPC.
        if (field === 'rpc' && garbage === undefined) continue;
        yield valid.map((each, index) => (index === place ? { ...value, [field]: garbage } : each));
      }
    }
  }
}

/** Calls a function, and reads what it yields. Returns what it throws unless that is a ServiceError. */
async function failureOf(call: (...given: readonly unknown[]) => unknown, given: readonly unknown[]) {
  try {
    const result = (await call(...given)) as Untyped;
    if (result?.[Symbol.asyncIterator]) for await (const _ of result) break;
    return null;
  } catch (error) {
    return sdk.isServiceError(error) ? null : error;
  }
}

const shown = (value: unknown): string => {
  if (typeof value === 'function') return 'function';
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' ? `'${value}'` : String(value);
  if (value === wallet) return 'wallet';
  if (Array.isArray(value)) return `[${value.map(shown).join()}]`;
  if (ArrayBuffer.isView(value) || value instanceof Date) return value.constructor.name;
  const entries = Object.entries(value).map(
    ([key, of]) => `${key}: ${typeof of === 'object' && of !== null ? '{…}' : shown(of)}`,
  );
  return `{ ${entries.join(', ')} }`;
};

const own = (of: object) =>
  Object.entries(of).flatMap(([name, value]) =>
    typeof value === 'function' && !/^class /.test(Function.prototype.toString.call(value)) ? [name] : [],
  );

describe.each<[string, Untyped, Readonly<Record<string, readonly unknown[]>>, () => readonly string[]]>([
  ['@service/sdk', sdk, FUNCTIONS, () => own(sdk)],
  ['@service/sdk/chain', chain, CHAIN, () => own(chain)],
  [
    'ServiceClient',
    client,
    METHODS,
    () => [
      ...Object.getOwnPropertyNames(sdk.ServiceClient.prototype).filter((name) => name !== 'constructor'),
      ...own(client),
    ],
  ],
  ['client.prepare', client.prepare, PREPARE, () => own(client.prepare)],
  ['client.artifacts', client.artifacts, { load: LOAD }, () => own(client.artifacts)],
  ['what artifactsFrom returns', source, { load: LOAD }, () => own(source)],
])('%s', (_name, of, table, names) => {
  it('has a row for each function', () => {
    expect(Object.keys(table).sort()).toEqual([...names()].sort());
  });

  it.each(Object.entries(table))('%s throws nothing but a ServiceError', async (name, valid) => {
    const failures: string[] = [];
    for (const given of spoiled(valid)) {
      const error = await failureOf((...all) => of[name](...all), given);
      if (error) failures.push(`${name}(${given.map(shown).join(', ')}): ${error}`);
    }
    expect(failures).toEqual([]);
  });
});

it.each(GARBAGE.map((garbage) => [shown(garbage), garbage]))(
  'new ServiceClient with %s',
  (_name, garbage) => {
    const base = { deployment, rpc, fetch };
    for (const field of ['deployment', 'baseUrl', 'origin', 'rpc', 'fetch', 'retry']) {
      for (const given of [garbage, { ...base, [field]: garbage }]) {
        try {
          new (sdk.ServiceClient as Untyped)(given);
        } catch (error) {
          expect(error).toMatchObject({ name: 'ServiceError' });
        }
      }
    }
  },
);
