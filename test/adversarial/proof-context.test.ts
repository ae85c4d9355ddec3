/** A proof is made from the caller's own chain, which is read before the witness is used. */
import { inspect } from 'node:util';
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
import {
  clauseHashes,
  contextHash,
  decodeProof,
  passHash,
  unpackVerifyingKey,
} from '@service/protocol/eligibility';
import { getRuleSetCodec } from '@service/protocol/generated';
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
import { errorOf } from '@service/test-support';
import { groth16 } from 'snarkjs';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { changeAccount } from '../support/change-account.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { type HostileService, hostileService } from '../support/hostile-service.ts';
import { useStillChain } from '../support/still-chain.ts';

const chain = useStillChain();
let honest: ProofContext;
let service: HostileService;
let artifacts: ArtifactSource;

beforeAll(async () => {
  honest = await readHonest();
  artifacts = artifactsFrom({ digest: chain.deployment.artifactsDigest, files: artifactsDirectory });
});
afterAll(disposeProver);
beforeEach(() => {
  service = serviceWith();
});

async function readHonest(): Promise<ProofContext> {
  const at = programAddresses(chain.deployment.program);
  const [credential, ruleSet, circuit] = await readAccounts(chain.reader, [
    ['credential', await at.credential(chain.wallet.address)],
    ['ruleSet', chain.rule],
    ['circuit', await at.circuit(chain.manifest.circuit)],
  ]);
  const [verifier] = await readAccounts(chain.reader, [['verifier', credential!.data.verifier]]);
  return {
    credential: credentialRecordOf(credential!),
    ruleSet: ruleSetRecordOf(ruleSet!, { passFunds: ruleSet!.lamports, clauseOf: clauseFromMasks }),
    verifier: verifierRecordOf(verifier!),
    circuit: circuitRecordOf(circuit!),
    passFee: 1n,
    chainTime: 1n,
  };
}

/** Creates a service that returns these records for a proof. */
function serviceWith(context = honest, changes: Partial<typeof chain> = {}): HostileService {
  const created = hostileService({ ...chain, ...changes });
  created.instead.set('/api/proofs/context', () => Response.json(z.encode(proofContextResponse, context)));
  return created;
}

const ask = (rule = chain.rule) => service.client.proofContext({ rule });
const build = (facts: ProofContext, expiresAt = latestPassExpiry(facts)) =>
  buildEligibilityContext(facts.credential, facts.ruleSet, expiresAt);

describe('proofContext', () => {
  it('returns the chain’s records, fee and time when the service agrees', async () => {
    const facts = await ask();
    const { credential, verifier, circuit } = honest;
    expect(facts).toMatchObject({ credential, verifier, circuit });
    expect(facts.ruleSet).toEqual({ ...honest.ruleSet, passFunds: 0n });
    expect(facts.passFee).toBe(50_000n);
    expect(Number(facts.chainTime)).toBeGreaterThan(Number(facts.credential.issuedAt) - 5);
  });

  it('accepts an older service that says nothing of powers, verifier and limit only if the rule set has none', async () => {
    const { powers: _, verifier: __, walletsPerPerson: ___, ...ruleSet } = honest.ruleSet;
    service = serviceWith({ ...honest, ruleSet });
    expect((await ask()).ruleSet).toMatchObject({ powers: [], verifier: null, walletsPerPerson: 0 });
    const codec = getRuleSetCodec();
    const { verifier } = honest.credential;
    for (const [change, field] of [
      [{ powers: 2 }, 'powers'],
      [{ verifier }, 'verifier'],
      [{ walletsPerPerson: 2 }, 'walletsPerPerson'],
    ] as const) {
      await changeAccount(chain.net, chain.rule, codec, change);
      await expectRefusal(ask(), 'RECORD_MISMATCH', { context: { fields: [`ruleSet.${field}`] } });
      await changeAccount(chain.net, chain.rule, codec, { powers: 0, verifier: null, walletsPerPerson: 0 });
    }
  });

  it('rejects a circuit without the pinned artifacts', async () => {
    service = serviceWith(honest, { manifest: { ...chain.manifest, circuit: 'another-circuit' } });
    await expectRefusal(ask(), 'CIRCUIT_MISMATCH');
    service = serviceWith(honest, { deployment: { ...chain.deployment, artifactsDigest: '3'.repeat(64) } });
    await expectRefusal(ask(), 'CIRCUIT_MISMATCH');
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

  it('rejects records that proofContext did not read together', async () => {
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

  it('rejects an expiry that no pass can have, and names the latest', async () => {
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
  it('makes a proof for this wallet, rule set and expiry alone, and posts nothing', {
    timeout: 60_000,
  }, async () => {
    const context = build(await ask());
    const proof = await generateEligibilityProof(context, chain.witness, artifacts);
    expect(proof).toMatchObject({ rule: chain.rule, wallet: chain.wallet.address });
    expect(proof.proof).toHaveLength(256);
    expect(service.submitted).toEqual([]);

    const key = unpackVerifyingKey((await readArtifacts(artifactsDirectory)).key);
    const provesPass = async (change: object) => {
      const { rule, wallet, expiresAt } = { ...context, ...change };
      const signal = contextHash({
        clauseHashes: clauseHashes(context.clauses),
        commitment: BigInt(`0x${context.commitment}`),
        asOf: context.asOf,
        passHash: await passHash({ rule: addressBytes(rule), wallet: addressBytes(wallet), expiresAt }),
      });
      return groth16.verify(key, [signal.toString()], decodeProof(proof.proof));
    };
    expect(await provesPass({})).toBe(true);
    expect(await provesPass({ rule: chain.transfer.destination })).toBe(false);
    expect(await provesPass({ wallet: chain.other.address })).toBe(false);
    expect(await provesPass({ expiresAt: context.expiresAt - 1n })).toBe(false);
  });

  it('rejects artifacts that are not the pinned ones when they are used', async () => {
    const context = build(await ask());
    const loaded = await artifacts.load();
    const impostor = {
      digest: chain.deployment.artifactsDigest,
      load: async () => ({ ...loaded, compactKey: loaded.compactKey!.slice(0, -1) }),
    };
    const invalid = { code: 'ARTIFACTS_INVALID' };
    await expect(generateEligibilityProof(context, chain.witness, impostor)).rejects.toMatchObject(invalid);
    // A source is read once, so the checked bytes are the used bytes.
    let reads = 0;
    const changing = {
      digest: chain.deployment.artifactsDigest,
      load: async () => ({
        ...loaded,
        get compactKey() {
          reads += 1;
          return reads === 1 ? loaded.compactKey : new Uint8Array(8);
        },
      }),
    };
    expect((await generateEligibilityProof(context, chain.witness, changing)).proof).toHaveLength(256);
    expect(reads).toBe(1);
    // A caller that changes the arrays it loaded does not change the arrays of others.
    loaded.compactKey?.fill(0);
    expect((await generateEligibilityProof(context, chain.witness, artifacts)).proof).toHaveLength(256);
  });

  const touched = () => {
    const load = vi.fn(() => Promise.reject(new Error('the artifacts were fetched')));
    return { source: { digest: chain.deployment.artifactsDigest, load } as ArtifactSource, load };
  };

  it.each<[string, object, ServiceErrorCode]>([
    ['another salt', { salt: String(2n ** 200n + 1n) }, 'WITNESS_INVALID'],
    ['another person', { person: String(2n ** 200n + 1n) }, 'WITNESS_INVALID'],
    ['no person', { person: undefined }, 'WITNESS_INVALID'],
    ['another region', { region: 'FR' }, 'WITNESS_INVALID'],
    ['an unknown region', { region: 'XX' }, 'WITNESS_INVALID'],
    ['a day that does not exist', { birthDate: '1990-02-30' }, 'WITNESS_INVALID'],
    ['a salt below 2^128', { salt: String(2n ** 128n - 1n) }, 'WITNESS_INVALID'],
    ['a person below 2^128', { person: String(2n ** 128n - 1n) }, 'WITNESS_INVALID'],
    ['a salt that is not a number', { salt: '0x1' }, 'WITNESS_INVALID'],
    ['another wallet', { wallet: '7cqE6AS4cxp6bj3NQ3iX4su4xcDtMQNitRVR21RirKVi' }, 'WALLET_MISMATCH'],
  ])('rejects a witness with %s before anything is fetched', async (_name, change, code) => {
    const { source, load } = touched();
    const context = build(await ask());
    await expectRefusal(
      generateEligibilityProof(context, { ...chain.witness, ...change } as never, source),
      code,
    );
    expect(load).not.toHaveBeenCalled();
  });

  it('rejects a context that was not built here, and artifacts of another digest', async () => {
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

  it('reports the requirements that each clause leaves unmet, before anything is fetched or posted', async () => {
    const { source, load } = touched();
    const { address, record } = await chain.createRule([
      { regionMask: 2n, statusMask: 1, minAge: 18 },
      { regionMask: 1n, statusMask: 2, minAge: 90 },
    ]);
    service = serviceWith({ ...honest, ruleSet: record });
    const context = build(await ask(address));
    await expectRefusal(generateEligibilityProof(context, chain.witness, source), 'NOT_ELIGIBLE', {
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
    const witness = { ...chain.witness, salt: '98765432109876'.repeat(4) };
    const context = build(await ask());
    const error = await errorOf(generateEligibilityProof(context, witness, touched().source));
    expect(inspect(error, { depth: 10, showHidden: true })).not.toMatch(/98765432109876|1990-05-17/);
  });
});
