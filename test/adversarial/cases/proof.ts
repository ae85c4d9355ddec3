/** What a proof must not be made of: other records, other witnesses, other artifacts. */
import { artifactsDirectory } from '@service/circuit';
import {
  getCircuitDecoder,
  getCircuitEncoder,
  getCredentialDecoder,
  getCredentialEncoder,
  getRuleSetDecoder,
  getRuleSetEncoder,
  getVerifierDecoder,
  getVerifierEncoder,
  VERIFIER_ACCOUNT_TYPE,
} from '@service/protocol/generated';
import type { ArtifactSource, EligibilityContext, ProofContext } from '@service/sdk';
import { getBase64Decoder, getBase64Encoder } from '@solana/kit';
import { expect } from 'vitest';
import { nodeWith } from '../support/node.ts';
import { type Casting, cast, type Play, type Players } from '../support/play.ts';
import { type Case, refusing } from './case.ts';

/** Where the accounts of a proof's context stand in what the client reads. */
const PLACES = { credential: 0, ruleSet: 1, config: 2, circuit: 3, clock: 4 } as const;
const CODECS = {
  credential: [getCredentialDecoder, getCredentialEncoder],
  ruleSet: [getRuleSetDecoder, getRuleSetEncoder],
  circuit: [getCircuitDecoder, getCircuitEncoder],
  verifier: [getVerifierDecoder, getVerifierEncoder],
} as const;
type Kind = keyof typeof CODECS;

interface Encoded {
  readonly data: [string, string];
}

function edited(kind: Kind, account: Encoded, change: (data: never) => object): Encoded {
  const [decoder, encoder] = CODECS[kind];
  const data = decoder().decode(getBase64Encoder().encode(account.data[0])) as never;
  const bytes = encoder().encode(change(data) as never);
  return { ...account, data: [getBase64Decoder().decode(bytes), 'base64'] };
}

/** What is so on chain, and said by the service as well. */
interface Truth {
  readonly kind: Kind;
  readonly change: (data: never) => object;
  /** The same in the record. */
  readonly record: object;
}

/** A chain and a service that agree on something that is not so on the stage. */
function agreeing(players: Players, { kind, change, record }: Truth, more: Partial<Casting> = {}): Play {
  const { stage } = players;
  const rpc = nodeWith(stage, {
    getMultipleAccounts: (result, [addresses]) => {
      const { value } = result as { value: Encoded[] };
      const count = (addresses as unknown[]).length;
      const place =
        kind === 'verifier'
          ? count === 1 && isOf(value[0], 'verifier')
            ? 0
            : -1
          : count === 5
            ? PLACES[kind as 'credential']
            : -1;
      return {
        ...(result as object),
        value: value.map((each, index) => (index === place ? edited(kind, each, change) : each)),
      };
    },
  });
  const through: Casting['through'] = (fetch) => async (input, init) => {
    const asked = new Request(input, init);
    const response = await fetch(asked);
    if (new URL(asked.url).pathname !== '/api/proofs/context') return response;
    const told = (await response.json()) as Record<string, object>;
    return Response.json({ ...told, [kind]: { ...told[kind], ...record } });
  };
  return cast(players, { person: stage.holder, rpc, through, ...more });
}

const TYPES = { verifier: VERIFIER_ACCOUNT_TYPE } as const;
function isOf(account: Encoded | null | undefined, kind: keyof typeof TYPES): boolean {
  return !!account && getBase64Encoder().encode(account.data[0])[0] === TYPES[kind];
}

type Facts = { readonly facts: ProofContext; readonly context: EligibilityContext };

/** A call with the facts of an honest proofContext. */
function withFacts(
  id: string,
  expected: { code: string; context?: object },
  call: (facts: Facts, players: Players, play: Play) => unknown,
  isFresh = false,
): Case {
  return refusing(
    `proof-${id}`,
    expected,
    async (players) => {
      const { stage, modules } = players;
      const play = cast(players, { person: stage.holder });
      const facts = await play.client.proofContext({ rule: stage.rule });
      const { buildEligibilityContext, latestPassExpiry } = modules.sdk;
      const context = buildEligibilityContext(facts.credential, facts.ruleSet, latestPassExpiry(facts));
      return { play, call: (async () => call({ facts, context }, players, play))() };
    },
    { isFresh },
  );
}

/** A context that the client must refuse to build although chain and service agree. */
function building(id: string, code: string, truth: Truth): Case {
  return refusing(`proof-${id}`, { code }, async (players) => {
    const play = agreeing(players, truth);
    const { buildEligibilityContext, latestPassExpiry } = players.modules.sdk;
    const call = play.client.proofContext({ rule: players.stage.rule }).then((facts) => {
      buildEligibilityContext(
        facts.credential,
        facts.ruleSet,
        latestPassExpiry({ ...facts, credential: { expiresAt: facts.chainTime + 60n } }),
      );
    });
    return { play, call };
  });
}

/** A source that must not be asked. */
function untouched(digest: string): ArtifactSource {
  return { digest, load: () => Promise.reject(new Error('the artifacts were fetched')) };
}

const proving = (id: string, code: string, change: (players: Players) => object): Case =>
  withFacts(`witness-${id}`, { code }, ({ context }, players) =>
    players.modules.sdk.generateEligibilityProof(
      context,
      { ...players.stage.witness, ...change(players) },
      untouched(players.stage.deployment.artifactsDigest),
    ),
  );

const refusingRecords = (
  id: string,
  code: string,
  records: (facts: ProofContext, players: Players, play: Play) => Promise<unknown[]> | unknown[],
): Case =>
  withFacts(id, { code }, async ({ facts }, players, play) => {
    const [credential, ruleSet] = await records(facts, players, play);
    const { buildEligibilityContext, latestPassExpiry } = players.modules.sdk;
    buildEligibilityContext(credential as never, ruleSet as never, latestPassExpiry(facts));
  });

const expiry = (id: string, expiresAt: (facts: ProofContext, latest: bigint) => unknown): Case =>
  withFacts(`expiry-${id}`, { code: 'PASS_EXPIRY_INVALID' }, ({ facts }, { modules: { sdk } }) => {
    sdk.buildEligibilityContext(
      facts.credential,
      facts.ruleSet,
      expiresAt(facts, sdk.latestPassExpiry(facts)) as bigint,
    );
  });

const lacking = (
  id: string,
  place: number,
  of: number,
  change: (account: Encoded) => Encoded | null = () => null,
): Case =>
  refusing(`proof-without-${id}`, { code: 'ACCOUNT_NOT_FOUND' }, async (players) => {
    const { stage } = players;
    const rpc = nodeWith(stage, {
      getMultipleAccounts: (result, [addresses]) => {
        const { value } = result as { value: Encoded[] };
        const isMeant = (addresses as unknown[]).length === of && (of === 5 || isOf(value[0], 'verifier'));
        return {
          ...(result as object),
          value: value.map((each, index) => (isMeant && index === place ? change(each) : each)),
        };
      },
    });
    const play = cast(players, { person: stage.holder, rpc });
    return { play, call: play.client.proofContext({ rule: stage.rule }) };
  });

/** A manifest of another kind of circuit, pinned by its own digest. */
const pinned = (id: string, publicSignals: string[]): Case =>
  refusing(
    `proof-artifacts-${id}`,
    { code: 'ARTIFACTS_INVALID' },
    async (players) => {
      const { readArtifacts } = await import('@service/circuit');
      const { manifestDigest } = await import('@service/protocol/eligibility/manifest');
      const { manifest, wasm, zkey, vkey, key } = (await readArtifacts()) as never as Record<
        string,
        Uint8Array
      > & { manifest: object };
      const other = { ...manifest, publicSignals };
      const digest = await manifestDigest(other as never);
      const bytes = {
        manifest: new TextEncoder().encode(JSON.stringify(other)),
        wasm,
        zkey,
        vkey: vkey ?? new Uint8Array(),
        key,
      };
      const play = cast(players, { person: players.stage.holder });
      return { play, call: players.modules.sdk.artifactsFrom({ digest, bytes: bytes as never }).load() };
    },
    { isFresh: true },
  );

const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';

/** What must not be proved. */
export const PROOF_CASES: readonly Case[] = [
  building('with-a-revoked-credential', 'CREDENTIAL_REQUIRED', {
    kind: 'credential',
    change: (data: object) => ({ ...data, revoked: true }),
    record: { revoked: true },
  }),
  building('with-an-expired-credential', 'CREDENTIAL_EXPIRED', {
    kind: 'credential',
    change: (data: object) => ({ ...data, expiresAt: 1n }),
    record: { expiresAt: '1' },
  }),
  building('with-an-inactive-verifier', 'VERIFIER_INACTIVE', {
    kind: 'verifier',
    change: (data: object) => ({ ...data, active: false }),
    record: { active: false },
  }),
  building('with-a-retired-circuit', 'CIRCUIT_MISMATCH', {
    kind: 'circuit',
    change: (data: object) => ({ ...data, retiredAt: 1n }),
    record: { retiredAt: '1' },
  }),
  refusing(
    'proof-of-clauses-with-another-hash',
    { code: 'RECORD_MISMATCH', context: { fields: ['ruleHash'] } },
    async (players) => {
      const { stage, modules } = players;
      const play = agreeing(players, {
        kind: 'ruleSet',
        change: (data: object) => ({ ...data, ruleHash: new Uint8Array(32) }),
        record: { ruleHash: '0'.repeat(64) },
      });
      const { buildEligibilityContext, generateEligibilityProof, latestPassExpiry } = modules.sdk;
      const call = play.client
        .proofContext({ rule: stage.rule })
        .then((facts) =>
          generateEligibilityProof(
            buildEligibilityContext(facts.credential, facts.ruleSet, latestPassExpiry(facts)),
            stage.witness,
            untouched(stage.deployment.artifactsDigest),
          ),
        );
      return { play, call };
    },
  ),
  lacking('governance', PLACES.config, 5),
  lacking('clock', PLACES.clock, 5),
  lacking('time', PLACES.clock, 5, (account) => ({
    ...account,
    data: [getBase64Decoder().decode(new Uint8Array(36)), 'base64'],
  })),
  lacking('verifier', 0, 1),
  refusingRecords('from-copies', 'RECORD_NOT_VERIFIED', ({ credential, ruleSet }) => [
    { ...credential },
    ruleSet,
  ]),
  refusingRecords(
    'from-two-readings',
    'RECORD_NOT_VERIFIED',
    async ({ credential }, { stage }, { client }) => [
      credential,
      (await client.proofContext({ rule: stage.rule })).ruleSet,
    ],
  ),
  expiry('as-a-number', (_facts, latest) => Number(latest)),
  expiry('now', ({ chainTime }) => chainTime),
  expiry('too-late', (_facts, latest) => latest + 1n),
  withFacts('from-a-copied-context', { code: 'RECORD_NOT_VERIFIED' }, ({ context }, { stage, modules }) =>
    modules.sdk.generateEligibilityProof(
      { ...context },
      stage.witness,
      untouched(stage.deployment.artifactsDigest),
    ),
  ),
  withFacts('with-other-artifacts', { code: 'ARTIFACTS_INVALID' }, ({ context }, { stage, modules }) =>
    modules.sdk.generateEligibilityProof(context, stage.witness, untouched('4'.repeat(64))),
  ),
  proving('of-another-wallet', 'WALLET_MISMATCH', ({ stage }) => ({ wallet: stage.deployment.program })),
  proving('with-another-salt', 'WITNESS_INVALID', () => ({ salt: '1' })),
  refusing('proof-of-what-does-not-hold', { code: 'NOT_ELIGIBLE' }, async (players) => {
    const { stage, modules } = players;
    const play = cast(players, { person: stage.holder });
    const facts = await play.client.proofContext({ rule: await stage.strictRule() });
    const { buildEligibilityContext, generateEligibilityProof, latestPassExpiry } = modules.sdk;
    const context = buildEligibilityContext(facts.credential, facts.ruleSet, latestPassExpiry(facts));
    return {
      play,
      call: generateEligibilityProof(context, stage.witness, untouched(stage.deployment.artifactsDigest)),
    };
  }),
  refusing(
    'proof-with-a-development-setup-on-mainnet',
    { code: 'ARTIFACTS_INVALID' },
    async (players) => {
      const { stage, modules } = players;
      const rpc = nodeWith(stage, { getGenesisHash: () => MAINNET });
      const play = cast(players, { person: stage.holder, rpc, deployment: { genesisHash: MAINNET } });
      const { artifactsFrom, buildEligibilityContext, generateEligibilityProof, latestPassExpiry } =
        modules.sdk;
      const facts = await play.client.proofContext({ rule: stage.rule });
      const context = buildEligibilityContext(facts.credential, facts.ruleSet, latestPassExpiry(facts));
      const source = artifactsFrom({ digest: stage.deployment.artifactsDigest, files: artifactsDirectory });
      const phases: string[] = [];
      const controller = new AbortController();
      const call = generateEligibilityProof(context, stage.witness, source, {
        signal: controller.signal,
        onProgress({ phase }) {
          phases.push(phase);
          // Without the check the proof would go on for seconds.
          if (phase === 'witness') controller.abort();
        },
      }).finally(() => expect(phases).not.toContain('witness'));
      return { play, call };
    },
    { isFresh: true },
  ),
  pinned('of-two-signals', ['contextHash', 'wallet']),
  pinned('of-another-signal', ['wallet']),
  refusing('proof-signed-for-another-circuit', { code: 'CIRCUIT_MISMATCH' }, async (players) => {
    const { stage, modules } = players;
    const mode = modules.testing.HOSTILE_MODES.find(({ id }) => id === 'reads-other-circuit')!;
    const play = cast(players, { mode, person: stage.holder });
    return {
      play,
      call: play.client
        .signAndSubmit(play.wallet, await stage.prepare('PROVE', play.client))
        .finally(() => Object.assign(play.traffic, { proofs: 0 })),
    };
  }),
];
