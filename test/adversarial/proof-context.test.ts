/** What a proof is made of: the caller's own chain, before the witness is touched. */
import { artifactsDirectory, readArtifacts } from '@service/circuit';
import { addressBytes, clauseFromMasks, proofContextResponse } from '@service/contract';
import {
  circuitRecordOf,
  credentialRecordOf,
  programAddresses,
  readAccounts,
  ruleSetRecordOf,
  verifierRecordOf,
} from '@service/protocol';
import { clauseHashes, contextHash, passHash } from '@service/protocol/eligibility';
import {
  type ArtifactSource,
  artifactsFrom,
  buildEligibilityContext,
  disposeProver,
  generateEligibilityProof,
  latestPassExpiry,
  type ProofContext,
  type ServiceErrorCode,
} from '@service/sdk';
import { createProofVerifier } from '@service/server/proof-verifier';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { expectRefusal } from '../support/expect-refusal.ts';
import { type HostileService, hostileService } from '../support/hostile-service.ts';
import { type StillChain, stillChain } from '../support/still-chain.ts';

let chain: StillChain;
let honest: ProofContext;
let service: HostileService;
let artifacts: ArtifactSource;

beforeAll(async () => {
  chain = await stillChain();
  honest = await readHonest();
  artifacts = artifactsFrom({ digest: chain.deployment.artifactsDigest, files: artifactsDirectory });
});
afterAll(async () => {
  await disposeProver();
  await chain?.stop();
});
beforeEach(() => {
  service = hostileService(chain);
  claims(honest);
});

async function readHonest(): Promise<ProofContext> {
  const { program } = chain.deployment;
  const at = programAddresses(program);
  const reader = { rpc: chain.net.rpc, program, commitment: 'finalized' } as const;
  const [credential, ruleSet, circuit] = await readAccounts(reader, [
    ['credential', await at.credential(chain.wallet.address)],
    ['ruleSet', chain.rule],
    ['circuit', await at.circuit(chain.manifest.circuit)],
  ]);
  const [verifier] = await readAccounts(reader, [['verifier', credential!.data.verifier]]);
  return {
    credential: credentialRecordOf(credential!),
    ruleSet: ruleSetRecordOf(ruleSet!, { passFunds: ruleSet!.lamports, clauseOf: clauseFromMasks }),
    verifier: verifierRecordOf(verifier!),
    circuit: circuitRecordOf(circuit!),
    passFee: 1n,
    chainTime: 1n,
  };
}

/** What the service says of the proof's records. */
function claims(context: ProofContext): void {
  service.instead.set('/api/proofs/context', () => Response.json(z.encode(proofContextResponse, context)));
}

const ask = () => service.client.proofContext({ rule: chain.rule });
const build = (facts: ProofContext, expiresAt = latestPassExpiry(facts)) =>
  buildEligibilityContext(facts.credential, facts.ruleSet, expiresAt);

describe('proofContext', () => {
  it('is the chain’s, fee and time included, when the service agrees', async () => {
    const facts = await ask();
    expect(facts).toMatchObject({
      credential: honest.credential,
      verifier: honest.verifier,
      circuit: honest.circuit,
    });
    expect(facts.ruleSet).toEqual({ ...honest.ruleSet, passFunds: 0n });
    expect(facts.passFee).toBe(50_000n);
    expect(Number(facts.chainTime)).toBeGreaterThan(Number(facts.credential.issuedAt) - 5);
  });

  it('is refused for a circuit that does not carry the pinned artifacts', async () => {
    const circuit = 'another-circuit';
    const manifest = { ...chain.manifest, circuit };
    const other = hostileService({ ...chain, manifest });
    other.instead.set('/api/proofs/context', () => Response.json(z.encode(proofContextResponse, honest)));
    await expectRefusal(other.client.proofContext({ rule: chain.rule }), 'CIRCUIT_MISMATCH');

    const pinned = { ...chain.deployment, artifactsDigest: '3'.repeat(64) };
    const elsewhere = hostileService({ ...chain, deployment: pinned });
    elsewhere.instead.set('/api/proofs/context', () => Response.json(z.encode(proofContextResponse, honest)));
    await expectRefusal(elsewhere.client.proofContext({ rule: chain.rule }), 'CIRCUIT_MISMATCH');
  });
});

describe('buildEligibilityContext', () => {
  it('binds wallet, rule set, expiry, day, hashes and pins', async () => {
    const facts = await ask();
    expect(build(facts)).toMatchObject({
      wallet: chain.wallet.address,
      rule: chain.rule,
      commitment: facts.credential.commitment,
      ruleHash: facts.ruleSet.ruleHash,
      clauses: [{ regionMask: 1n, statusMask: 1, minAge: 0 }],
      artifactsDigest: chain.deployment.artifactsDigest,
      genesisHash: chain.deployment.genesisHash,
    });
  });

  it('takes no record but those that proofContext read, together', async () => {
    const facts = await ask();
    const again = await ask();
    const latest = latestPassExpiry(facts);
    const pairs: [unknown, unknown][] = [
      [{ ...facts.credential }, facts.ruleSet],
      [facts.credential, { ...facts.ruleSet, clauses: [] }],
      [honest.credential, honest.ruleSet],
      [facts.credential, again.ruleSet],
      [facts.ruleSet, facts.credential],
      [facts.ruleSet, facts.ruleSet],
      [null, undefined],
    ];
    for (const [credential, ruleSet] of pairs) {
      expect(() => buildEligibilityContext(credential as never, ruleSet as never, latest)).toThrow(
        expect.objectContaining({ code: 'RECORD_NOT_VERIFIED' }),
      );
    }
    expect(() => Object.assign(facts.ruleSet, { ruleHash: '' })).toThrow(TypeError);
  });

  it('refuses an expiry that no pass can have, and says the latest', async () => {
    const facts = await ask();
    const latest = latestPassExpiry(facts);
    for (const expiresAt of [facts.chainTime, 0n, -1n, latest + 1n, 2n ** 64n, Number(latest) as never]) {
      expect(() => build(facts, expiresAt)).toThrow(
        expect.objectContaining({ code: 'PASS_EXPIRY_INVALID', context: { latest } }),
      );
    }
    expect(build(facts, facts.chainTime + 1n).expiresAt).toBe(facts.chainTime + 1n);
  });
});

describe('generateEligibilityProof', () => {
  it('proves what holds, for this wallet, rule set and expiry alone, and posts nothing', {
    timeout: 60_000,
  }, async () => {
    const context = build(await ask());
    const proof = await generateEligibilityProof(context, chain.witness, artifacts);
    expect(proof).toMatchObject({ rule: chain.rule, wallet: chain.wallet.address });
    expect(proof.proof).toHaveLength(256);
    expect(service.submitted).toEqual([]);

    const { key: verifyingKey } = await readArtifacts(artifactsDirectory);
    const { verify } = createProofVerifier();
    const provesPass = async (change: object) => {
      const { rule, wallet, expiresAt } = { ...context, ...change };
      const publicSignal = contextHash({
        clauseHashes: clauseHashes(context.clauses),
        commitment: BigInt(`0x${context.commitment}`),
        asOf: context.asOf,
        passHash: await passHash({ rule: addressBytes(rule), wallet: addressBytes(wallet), expiresAt }),
      });
      return verify({ verifyingKey, publicSignal, proof: proof.proof });
    };
    expect(await provesPass({})).toBe(true);
    expect(await provesPass({ rule: chain.destination })).toBe(false);
    expect(await provesPass({ wallet: chain.other.address })).toBe(false);
    expect(await provesPass({ expiresAt: context.expiresAt - 1n })).toBe(false);
  });

  it('uses no artifacts that are not the pinned ones when they are used', async () => {
    const context = build(await ask());
    const loaded = await artifacts.load();
    const impostor = {
      digest: chain.deployment.artifactsDigest,
      load: async () => ({ ...loaded, wasm: loaded.wasm.slice(0, -1) }),
    };
    const invalid = { code: 'ARTIFACTS_INVALID' };
    await expect(generateEligibilityProof(context, chain.witness, impostor)).rejects.toMatchObject(invalid);
    // What a source gives out is read once, and what was checked is what is used.
    let reads = 0;
    const changing = {
      digest: chain.deployment.artifactsDigest,
      load: async () => ({
        ...loaded,
        get wasm() {
          reads += 1;
          return reads === 1 ? loaded.wasm : new Uint8Array(8);
        },
      }),
    };
    expect((await generateEligibilityProof(context, chain.witness, changing)).proof).toHaveLength(256);
    expect(reads).toBe(1);
    // The arrays of one who loaded them are nobody else's.
    loaded.wasm.fill(0);
    expect((await generateEligibilityProof(context, chain.witness, artifacts)).proof).toHaveLength(256);
  });

  const touched = () => {
    const load = vi.fn(() => Promise.reject(new Error('the artifacts were fetched')));
    return { source: { digest: chain.deployment.artifactsDigest, load } as ArtifactSource, load };
  };

  it.each<[string, object, ServiceErrorCode]>([
    ['another salt', { salt: '1234568' }, 'WITNESS_INVALID'],
    ['another region', { region: 'FR' }, 'WITNESS_INVALID'],
    ['an unknown region', { region: 'XX' }, 'WITNESS_INVALID'],
    ['no such day', { birthDate: '1990-02-30' }, 'WITNESS_INVALID'],
    ['a salt that is no number', { salt: '0x1' }, 'WITNESS_INVALID'],
    ['another wallet', { wallet: '7cqE6AS4cxp6bj3NQ3iX4su4xcDtMQNitRVR21RirKVi' }, 'WALLET_MISMATCH'],
  ])('refuses a witness with %s before anything is fetched', async (_name, lie, code) => {
    const { source, load } = touched();
    const context = build(await ask());
    await expectRefusal(
      generateEligibilityProof(context, { ...chain.witness, ...lie } as never, source),
      code,
    );
    expect(load).not.toHaveBeenCalled();
  });

  it('refuses a context that was not built here, and artifacts of another digest', async () => {
    const { source, load } = touched();
    const context = build(await ask());
    await expectRefusal(
      generateEligibilityProof({ ...context }, chain.witness, source),
      'RECORD_NOT_VERIFIED',
    );
    const other = { ...source, digest: '4'.repeat(64) };
    await expectRefusal(generateEligibilityProof(context, chain.witness, other), 'ARTIFACTS_INVALID');
    expect(load).not.toHaveBeenCalled();
  });

  it('says which requirement of which clause is not met, before anything is fetched or posted', async () => {
    const { source, load } = touched();
    const strict = await strictRule();
    const facts = await service.client.proofContext({ rule: strict });
    await expectRefusal(generateEligibilityProof(build(facts), chain.witness, source), 'NOT_ELIGIBLE', {
      context: {
        clauses: [
          { clause: 0, unmet: ['region'] },
          { clause: 1, unmet: ['status', 'age'] },
        ],
      },
    });
    expect(load).not.toHaveBeenCalled();
  });

  it('never puts the witness into an error', async () => {
    const { inspect } = await import('node:util');
    const { source } = touched();
    const context = build(await ask());
    const witness = { ...chain.witness, salt: '98765432109876' };
    const error: unknown = await generateEligibilityProof(context, witness, source).catch(
      (thrown: unknown) => thrown,
    );
    expect(inspect(error, { depth: 10, showHidden: true })).not.toMatch(/98765432109876|1990-05-17/);
  });

  /** A rule set on chain that the wallet does not meet, honestly described by the service. */
  async function strictRule(): Promise<Address> {
    const { address, record } = await chain.createRule([
      { regionMask: 2n, statusMask: 1, minAge: 18 },
      { regionMask: 1n, statusMask: 2, minAge: 90 },
    ]);
    claims({ ...honest, ruleSet: record });
    return address;
  }
});
