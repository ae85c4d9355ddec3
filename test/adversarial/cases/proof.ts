/** What a proof must not be made of: other records, other witnesses, other artifacts. */
import { createHash } from 'node:crypto';
import { readArtifacts } from '@service/circuit';
import type { ArtifactManifest } from '@service/contract';
import { canonicalJson, manifestDigest } from '@service/protocol/eligibility/manifest';
import {
  getCircuitDecoder,
  getCircuitEncoder,
  getCredentialDecoder,
  getCredentialEncoder,
  getRuleSetDecoder,
  getRuleSetEncoder,
  getVerifierDecoder,
  getVerifierEncoder,
} from '@service/protocol/generated';
import { GENERATOR, publishedKey } from '@service/protocol/published-key';
import type {
  ArtifactSource,
  EligibilityContext,
  NativeProof,
  NativeProofRequest,
  ProofContext,
} from '@service/sdk';
import { UNKNOWN_ADDRESS } from '@service/testing/edits';
import { expect } from 'vitest';
import { changedResponses } from '../../support/changed-responses.ts';
import { type Edits, withValue } from '../../support/node.ts';
import type { Casting, Play, Players } from '../support/play.ts';
import { bytesOf, type Encoded, MAINNET, otherCluster, withBytes } from '../support/story.ts';
import { modeOf } from '../sweep/index.ts';
import { type Case, invalidArgument, type Options, type Rejection, ready, rejecting } from './case.ts';

/** The positions of accounts in the read of proofContext. */
const PLACES = { credential: 0, ruleSet: 1, config: 2, circuit: 3, verifier: 5, clock: 6 } as const;
const READ = 8;
const COMMITTED = await readArtifacts();
const CODECS = {
  credential: [getCredentialDecoder, getCredentialEncoder],
  ruleSet: [getRuleSetDecoder, getRuleSetEncoder],
  circuit: [getCircuitDecoder, getCircuitEncoder],
  verifier: [getVerifierDecoder, getVerifierEncoder],
} as const;
type Kind = keyof typeof CODECS;

/** Changes one account that proofContext reads. */
const changing = (which: keyof typeof PLACES, change: (account: Encoded) => Encoded | null): Edits => ({
  getMultipleAccounts(result: { value: Encoded[] }) {
    const { value } = result;
    if (value.length !== READ) return result;
    return withValue(
      result,
      value.map((account, index) => (index === PLACES[which] ? change(account) : account)),
    );
  },
});

/** The set-up of a chain and a service that agree on changed fields of a record. */
function agreeing(kind: Kind, fields: object, record: object): Pick<Casting, 'edits' | 'through'> {
  const [decoder, encoder] = CODECS[kind];
  const change = (account: Encoded) => {
    const data = { ...(decoder().decode(bytesOf(account)) as object), ...fields };
    return withBytes(account, new Uint8Array(encoder().encode(data as never)));
  };
  const changeRecord = (found: Record<string, unknown>) => ({
    ...found,
    [kind]: { ...(found[kind] as object), ...record },
  });
  return {
    edits: () => changing(kind, change),
    through: (fetch) => changedResponses(fetch, changeRecord, '/api/proofs/context'),
  };
}

interface Facts {
  readonly facts: ProofContext;
  readonly context: EligibilityContext;
}

/** Reads the facts of a rule set and builds the context of a proof. */
async function build({ client }: Play, { stage, modules }: Players, rule = stage.rule): Promise<Facts> {
  const facts = await client.proofContext({ rule });
  const { buildEligibilityContext, latestPassExpiry } = modules.sdk;
  const context = buildEligibilityContext(facts.credential, facts.ruleSet, latestPassExpiry(facts));
  return { facts, context };
}

/** A call with the facts of an honest proofContext. */
const withFacts = (
  id: string,
  rejection: Rejection,
  call: (facts: Facts, players: Players, play: Play) => unknown,
) =>
  rejecting(`proof-${id}`, rejection, async (play, players) =>
    call(await ready(build(play, players)), players, play),
  );

/** A context that the client must refuse to build although chain and service agree. */
const building = (id: string, code: string, ...changed: Parameters<typeof agreeing>) =>
  rejecting(
    `proof-${id}`,
    code,
    async ({ client }, { stage, modules: { sdk } }) => {
      const facts = await client.proofContext({ rule: stage.rule });
      const credential = { expiresAt: facts.chainTime + 60n };
      const expiresAt = sdk.latestPassExpiry({ ...facts, credential });
      sdk.buildEligibilityContext(facts.credential, facts.ruleSet, expiresAt);
    },
    agreeing(...changed),
  );

/** A source that must not be loaded. */
const untouched = (digest: string): ArtifactSource => ({
  digest,
  load: () => Promise.reject(new Error('the artifacts were fetched')),
});

/** Makes a proof, with artifacts that must not be loaded. */
const prove = (
  context: EligibilityContext,
  { stage, modules }: Players,
  witness: object = {},
  digest = stage.deployment.artifactsDigest,
) => modules.sdk.generateEligibilityProof(context, { ...stage.witness, ...witness }, untouched(digest));

/** A place that a proof of a rule set with this limit must not take. */
const inPlace = (id: string, walletsPerPerson: number, place: number | undefined) =>
  rejecting(
    `proof-in-${id}`,
    invalidArgument('place'),
    async (play, players) => {
      const { context } = await ready(build(play, players));
      const { stage, modules } = players;
      const artifacts = untouched(stage.deployment.artifactsDigest);
      return modules.sdk.generateEligibilityProof(context, stage.witness, artifacts, { place });
    },
    agreeing('ruleSet', { walletsPerPerson }, { walletsPerPerson }),
  );

const witness = (id: string, code: string, change: (players: Players) => object) =>
  withFacts(`witness-${id}`, code, ({ context }, players) => prove(context, players, change(players)));

type Records = readonly [ProofContext['credential'], ProofContext['ruleSet']];

const fromRecords = (
  id: string,
  records: (facts: ProofContext, players: Players, play: Play) => Promise<Records> | Records,
) =>
  withFacts(id, 'RECORD_NOT_VERIFIED', async ({ facts }, players, play) => {
    const { buildEligibilityContext, latestPassExpiry } = players.modules.sdk;
    buildEligibilityContext(...(await records(facts, players, play)), latestPassExpiry(facts));
  });

const expiry = (id: string, expiresAt: (facts: ProofContext, latest: bigint) => unknown) =>
  withFacts(`expiry-${id}`, 'PASS_EXPIRY_INVALID', ({ facts }, { modules: { sdk } }) => {
    const given = expiresAt(facts, sdk.latestPassExpiry(facts)) as bigint;
    sdk.buildEligibilityContext(facts.credential, facts.ruleSet, given);
  });

const lacking = (
  id: string,
  which: keyof typeof PLACES | 'verifier',
  change: (account: Encoded) => Encoded | null = () => null,
) =>
  rejecting(
    `proof-without-${id}`,
    'ACCOUNT_NOT_FOUND',
    ({ client }, { stage }) => client.proofContext({ rule: stage.rule }),
    { edits: () => changing(which, change) },
  );

/** A manifest of another kind of circuit, with its own digest. */
const pinned = (id: string, publicSignals: string[]) =>
  rejecting(
    `proof-artifacts-${id}`,
    'ARTIFACTS_INVALID',
    async (_play, { modules }) => {
      const { manifest, wasm, zkey, key, ...rest } = await readArtifacts();
      const other = { ...manifest, publicSignals };
      const digest = await manifestDigest(other as never);
      const { vkey = new Uint8Array() } = rest as { vkey?: Uint8Array };
      const bytes = { manifest: new TextEncoder().encode(JSON.stringify(other)), wasm, zkey, vkey, key };
      return modules.sdk.artifactsFrom({ digest, bytes: bytes as never }).load();
    },
    { isFresh: true },
  );

const onMainnet: Options = {
  isFresh: true,
  edits: otherCluster,
  deployment: { genesisHash: MAINNET },
};

/** Makes a proof with the committed keys, which a check of their setup must refuse before the prover begins. */
const withSetup = (
  id: string,
  options: Options,
  changed: Partial<typeof COMMITTED> = {},
  rejection: Rejection = 'ARTIFACTS_INVALID',
) =>
  rejecting(
    `proof-with-${id}`,
    rejection,
    async (play, players) => {
      const { context } = await ready(build(play, players));
      const { artifactsFrom, generateEligibilityProof } = players.modules.sdk;
      const { manifest, wasm, zkey, vkey, key } = { ...COMMITTED, ...changed };
      const bytes = { manifest: new TextEncoder().encode(JSON.stringify(manifest)), wasm, zkey, vkey, key };
      const source = artifactsFrom({ digest: context.artifactsDigest, bytes: bytes as never });
      const phases: string[] = [];
      const controller = new AbortController();
      return generateEligibilityProof(context, players.stage.witness, source, {
        signal: controller.signal,
        onProgress({ phase }) {
          phases.push(phase);
          // Without the check the proof would take seconds.
          if (phase === 'witness') controller.abort();
        },
      }).finally(() => expect(phases).not.toContain('witness'));
    },
    options,
  );

/** The manifest of keys, which says that an operator made them. */
const claimOf = (key: Uint8Array): (typeof COMMITTED)['manifest'] => ({
  ...COMMITTED.manifest,
  files: { ...COMMITTED.manifest.files, key: { ...COMMITTED.manifest.files.key, sha256: sha256(key) } },
  setup: {
    kind: 'operator',
    tool: 'snarkjs@0.7.6',
    power: 11,
    powersOfTau: 'ab'.repeat(64),
    contributions: [{ name: 'Operator', hash: 'cd'.repeat(64) }],
  },
});

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

/** Keys that an operator is said to have made. Chain, service and deployment agree on their manifest. */
function claimedKeys(id: string, key: Uint8Array, fault: string): Case {
  const manifest = claimOf(key);
  const artifactsDigest = sha256(canonicalJson(manifest));
  const { edits = () => ({}), through } = agreeing(
    'circuit',
    { artifactsDigest: Buffer.from(artifactsDigest, 'hex'), verifyingKey: key },
    { artifactsDigest },
  );
  const claim = (config: Record<string, unknown>) => ({
    ...config,
    artifacts: { ...(config.artifacts as object), digest: artifactsDigest, manifest },
  });
  const options: Options = {
    isFresh: true,
    edits,
    through: (fetch) => changedResponses(through!(fetch), claim, '/api/config'),
    deployment: { artifactsDigest, acceptedSetups: ['operator'] },
  };
  const rejection = { code: 'ARTIFACTS_INVALID', message: expect.stringContaining(fault) };
  return withSetup(id, options, { manifest, key }, rejection);
}

/** A key of published powers of tau, with other bytes at a place. */
function keyWith(at: number, bytes: Uint8Array): Uint8Array {
  const key = Uint8Array.from(publishedKey());
  key.set(bytes, at);
  return key;
}

/** Lists the hash of 576 zeros as that of the verifying key. */
const withZeroKey = (config: Record<string, unknown>) => {
  const { manifest, ...artifacts } = config.artifacts as { manifest: ArtifactManifest };
  const key = {
    ...manifest.files.key,
    sha256: createHash('sha256').update(new Uint8Array(576)).digest('hex'),
  };
  return {
    ...config,
    artifacts: { ...artifacts, manifest: { ...manifest, files: { ...manifest.files, key } } },
  };
};

/** Points of the groups that prove nothing. */
const GENERATORS: NativeProof['proof'] = {
  pi_a: ['1', '2', '1'],
  pi_b: [
    [
      '10857046999023057135944570762232829481370756359578518086990519993285655852781',
      '11559732032986387107991004021392285783925812861821192530917403151452391805634',
    ],
    [
      '8495653923123431417604973247489272438418190587263600148770280649306958101930',
      '4082367875863433681332203403145435568316851327593401208105741076214120093531',
    ],
    ['1', '0'],
  ],
  pi_c: ['1', '2', '1'],
};

/** A native prover that returns no proof, or a wrong one. */
const natively = (id: string, made: (request: NativeProofRequest) => NativeProof) =>
  withFacts(
    `by-a-native-prover-${id}`,
    'PROVER_FAILED',
    ({ context }, { stage, modules: { sdk } }, { client }) => {
      const prover = { prove: async (request: NativeProofRequest) => made(request) };
      return sdk.generateEligibilityProof(context, stage.witness, client.artifacts, { prover });
    },
  );

/** What must not be proved. */
export const PROOF_CASES: readonly Case[] = [
  withFacts(
    'with-no-options',
    invalidArgument('options'),
    ({ context }, { stage, modules: { sdk } }, { client }) =>
      sdk.generateEligibilityProof(context, stage.witness, client.artifacts, null as never),
  ),
  withFacts('from-no-artifacts', invalidArgument('artifacts'), ({ context }, { stage, modules: { sdk } }) =>
    sdk.generateEligibilityProof(context, stage.witness, null as never),
  ),
  withFacts(
    'by-no-prover',
    invalidArgument('prover'),
    ({ context }, { stage, modules: { sdk } }, { client }) =>
      sdk.generateEligibilityProof(context, stage.witness, client.artifacts, { prover: {} as never }),
  ),
  inPlace('a-place-without-a-limit', 0, 0),
  inPlace('no-place-with-a-limit', 2, undefined),
  inPlace('a-place-beyond-the-limit', 2, 2),
  inPlace('a-place-below-zero', 2, -1),
  inPlace('half-a-place', 2, 0.5),
  natively('of-the-generators', ({ inputs }) => ({
    proof: GENERATORS,
    publicSignals: [inputs.contextHash as string],
  })),
  natively('of-other-inputs', () => ({ proof: GENERATORS, publicSignals: ['1'] })),
  natively('of-nothing', () => undefined as never),
  // A view of it could change after the check.
  withFacts(
    'from-an-array-buffer',
    'ARTIFACTS_INVALID',
    async ({ context }, { stage, modules: { sdk } }, { client }) => {
      const loaded = await client.artifacts.load();
      const load = async () => ({ ...loaded, compactKey: loaded.compactKey?.buffer as never });
      await sdk.generateEligibilityProof(context, stage.witness, { digest: client.artifacts.digest, load });
    },
  ),
  building(
    'with-a-revoked-credential',
    'CREDENTIAL_REQUIRED',
    'credential',
    { revoked: true },
    { revoked: true },
  ),
  building(
    'with-an-expired-credential',
    'CREDENTIAL_EXPIRED',
    'credential',
    { expiresAt: 1n },
    { expiresAt: '1' },
  ),
  building(
    'with-an-inactive-verifier',
    'VERIFIER_INACTIVE',
    'verifier',
    { active: false },
    { active: false },
  ),
  building(
    'with-a-credential-of-another-verifier',
    'VERIFIER_NOT_ACCEPTED',
    'ruleSet',
    { verifier: UNKNOWN_ADDRESS },
    { verifier: UNKNOWN_ADDRESS },
  ),
  building(
    'with-another-key-on-chain',
    'CIRCUIT_MISMATCH',
    'circuit',
    { verifyingKey: new Uint8Array(576) },
    {},
  ),
  rejecting(
    'proof-with-another-key-on-chain-and-in-the-manifest',
    'CIRCUIT_MISMATCH',
    ({ client }, { stage }) => client.proofContext({ rule: stage.rule }),
    {
      ...agreeing('circuit', { verifyingKey: new Uint8Array(576) }, {}),
      through: (fetch) => changedResponses(fetch, withZeroKey, '/api/config'),
    },
  ),
  building('with-a-retired-circuit', 'CIRCUIT_MISMATCH', 'circuit', { retiredAt: 1n }, { retiredAt: '1' }),
  rejecting(
    'proof-of-clauses-with-another-hash',
    { code: 'RECORD_MISMATCH', context: { fields: ['ruleHash'] } },
    async (play, players) => prove((await build(play, players)).context, players),
    agreeing('ruleSet', { ruleHash: new Uint8Array(32) }, { ruleHash: '0'.repeat(64) }),
  ),
  lacking('governance', 'config'),
  lacking('clock', 'clock'),
  lacking('time', 'clock', (account) => withBytes(account, new Uint8Array(36))),
  lacking('verifier', 'verifier'),
  fromRecords('from-copies', ({ credential, ruleSet }) => [{ ...credential }, ruleSet]),
  fromRecords('from-two-readings', async ({ credential }, { stage }, { client }) => [
    credential,
    (await client.proofContext({ rule: stage.rule })).ruleSet,
  ]),
  expiry('as-a-number', (_facts, latest) => Number(latest)),
  expiry('now', ({ chainTime }) => chainTime),
  expiry('too-late', (_facts, latest) => latest + 1n),
  withFacts('from-a-copied-context', 'RECORD_NOT_VERIFIED', ({ context }, players) =>
    prove({ ...context }, players),
  ),
  withFacts('with-other-artifacts', 'ARTIFACTS_INVALID', ({ context }, players) =>
    prove(context, players, {}, '4'.repeat(64)),
  ),
  witness('of-another-wallet', 'WALLET_MISMATCH', ({ stage }) => ({ wallet: stage.deployment.program })),
  witness('with-another-salt', 'WITNESS_INVALID', () => ({ salt: String(2n ** 200n + 1n) })),
  witness('with-another-person', 'WITNESS_INVALID', () => ({ person: String(2n ** 200n + 1n) })),
  rejecting('proof-of-unmet-clauses', 'NOT_ELIGIBLE', async (play, players) => {
    const rule = await players.stage.strictRule();
    return prove((await ready(build(play, players, rule))).context, players);
  }),
  withSetup('a-development-setup-on-mainnet', onMainnet),
  withSetup('a-setup-that-is-not-accepted', { isFresh: true, deployment: { acceptedSetups: ['operator'] } }),
  claimedKeys('development-keys-of-an-operator', COMMITTED.key, 'published powers of tau'),
  claimedKeys('other-powers-of-tau', keyWith(191, Uint8Array.of(7)), 'published powers of tau'),
  claimedKeys('another-gamma', keyWith(200, Uint8Array.of(7)), 'gamma'),
  claimedKeys('no-contribution', keyWith(320, GENERATOR), 'nobody added a secret'),
  claimedKeys('the-development-beacon-alone', keyWith(320, COMMITTED.key.subarray(320, 448)), 'nobody added'),
  pinned('of-two-signals', ['contextHash', 'wallet']),
  pinned('of-another-signal', ['wallet']),
  rejecting(
    'proof-signed-for-another-circuit',
    'CIRCUIT_MISMATCH',
    async ({ client, wallet, traffic }, { stage }) => {
      const prepared = await ready(stage.prepare('PROVE', client));
      // The proof that prepare posts does not count.
      traffic.proofs = 0;
      return client.signAndSubmit(wallet, prepared);
    },
    { mode: modeOf('reads-other-circuit') },
  ),
];
