import { inspect } from 'node:util';
import { REGIONS, regionIndexOf, STATUSES, statusIndexOf, type Witness } from '@service/contract';
import { fieldToBytes } from '@service/protocol/eligibility';
import { type Address, getAddressDecoder } from '@solana/kit';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { artifacts, attributes, facts } from '../../test/support/prover/eligible.ts';
import { type ArtifactSource, artifactsFrom } from '../prover/artifact-source/artifacts-from.ts';
import { buildEligibilityContext } from './context.ts';
import { generateEligibilityProof } from './generate-eligibility-proof.ts';
import { disposeProver } from './prover-lifetime.ts';
import { markVerified, type VerifiedFacts } from './verified-records.ts';

// Allow for a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const address = (bytes: Uint8Array): Address => getAddressDecoder().decode(bytes);
const source = artifactsFrom({
  digest: artifacts.digest,
  bytes: { ...artifacts, manifest: new TextEncoder().encode(JSON.stringify(artifacts.manifest)) },
});
const witness: Witness = {
  wallet: address(facts.wallet),
  region: REGIONS.find(({ code }) => regionIndexOf(code) === attributes.region)!.code,
  status: STATUSES.find(({ code }) => statusIndexOf(code) === attributes.status)!.code,
  birthDate: '2000-02-29',
  salt: String(attributes.salt),
};
const maxPassAgeSeconds = 2_592_000n;

/** Returns a context like that of one proofContext call, with changes. */
function contextWith({
  circuit = artifacts.manifest.circuit,
  genesisHash = 'devnet',
  clauses = facts.clauses,
} = {}) {
  const record = {
    credential: {
      wallet: witness.wallet,
      commitment: Buffer.from(fieldToBytes(facts.commitment)).toString('hex'),
      expiresAt: facts.expiresAt,
      revoked: false,
    },
    ruleSet: { address: address(facts.rule), ruleHash: facts.ruleHash, maxPassAgeSeconds },
    verifier: { active: true },
    circuit: { id: circuit, artifactsDigest: artifacts.digest, retiredAt: null },
    deployment: { artifactsDigest: artifacts.digest, genesisHash },
    clauses,
    chainTime: facts.expiresAt - maxPassAgeSeconds,
  } as unknown as VerifiedFacts;
  markVerified(record);
  return buildEligibilityContext(record.credential, record.ruleSet, facts.expiresAt);
}

afterAll(disposeProver);

describe('generateEligibilityProof', () => {
  it('proves for the wallet, rule set and expiry of the context, and returns nothing secret', async () => {
    const context = contextWith();
    const proof = await generateEligibilityProof(context, witness, source);
    expect(proof).toEqual({
      rule: context.rule,
      wallet: witness.wallet,
      expiresAt: facts.expiresAt,
      proof: expect.any(Uint8Array),
    });
    expect(proof.proof).toHaveLength(256);
  });

  it('rejects artifacts of another circuit, and development keys on mainnet', async () => {
    const mainnet = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
    for (const change of [{ circuit: 'another' }, { genesisHash: mainnet }]) {
      await expect(generateEligibilityProof(contextWith(change), witness, source)).rejects.toThrow(
        expect.objectContaining({ code: 'ARTIFACTS_INVALID' }),
      );
    }
  });

  it('rejects with a code for every error or value of a source of the caller', async () => {
    const { digest } = source;
    const cause = new Error('a bug of the page');
    const sources: ArtifactSource[] = [
      { digest, load: () => Promise.reject(cause) },
      {
        digest,
        load: () => {
          throw cause;
        },
      },
      { digest, load: () => Promise.resolve(undefined as never) },
    ];
    for (const own of sources) {
      await expect(generateEligibilityProof(contextWith(), witness, own)).rejects.toThrow(
        expect.objectContaining({ code: 'ARTIFACTS_INVALID' }),
      );
    }
  });

  it('quotes nothing of a witness of another credential', async () => {
    const others = { ...witness, region: REGIONS.find(({ code }) => code !== witness.region)!.code };
    const wrong = await generateEligibilityProof(contextWith(), others, source).catch((thrown) => thrown);
    expect(wrong).toMatchObject({ code: 'WITNESS_INVALID' });
    expect(inspect(wrong, { depth: 10, showHidden: true })).not.toContain(witness.salt);
    expect(`${wrong.message}${JSON.stringify(wrong)}`).not.toMatch(
      new RegExp(`${others.region}|${witness.birthDate}`),
    );
  });

  it('ends with an abort before it loads anything', async () => {
    const load = vi.fn();
    const signal = AbortSignal.abort();
    await expect(
      generateEligibilityProof(contextWith(), witness, { digest: source.digest, load }, { signal }),
    ).rejects.toThrow(expect.objectContaining({ code: 'ABORTED' }));
    expect(load).not.toHaveBeenCalled();
  });
});
