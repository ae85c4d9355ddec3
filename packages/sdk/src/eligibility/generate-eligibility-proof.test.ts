import { inspect } from 'node:util';
import { REGIONS, regionIndexOf, STATUSES, statusIndexOf, type Witness } from '@service/contract';
import { fieldToBytes } from '@service/protocol/eligibility';
import { type Address, getAddressDecoder } from '@solana/kit';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { MAINNET_GENESIS } from '../../test/support/deployment.ts';
import { artifactBytes, artifacts, attributes, facts } from '../../test/support/prover/eligible.ts';
import { serviceError } from '../../test/support/service-error.ts';
import { artifactsFrom } from '../prover/artifact-source/artifacts-from.ts';
import { buildEligibilityContext } from './eligibility-context.ts';
import { generateEligibilityProof } from './generate-eligibility-proof.ts';
import { disposeProver } from './prover-lifetime.ts';
import { markVerified, type VerifiedFacts } from './verified-records.ts';

const address = (bytes: Uint8Array): Address => getAddressDecoder().decode(bytes);
const { digest } = artifacts;
const source = artifactsFrom({ digest, bytes: artifactBytes });
const witness: Witness = {
  wallet: address(facts.wallet),
  region: REGIONS.find(({ code }) => regionIndexOf(code) === attributes.region)!.code,
  status: STATUSES.find(({ code }) => statusIndexOf(code) === attributes.status)!.code,
  birthDate: '2000-02-29',
  salt: String(attributes.salt),
  person: String(attributes.person),
};
const maxPassAgeSeconds = 2_592_000n;

/** Returns a context like that of one proofContext call, with changes. */
function contextWith({ circuit = artifacts.manifest.circuit, genesisHash = 'devnet' } = {}) {
  const record = {
    credential: {
      wallet: witness.wallet,
      commitment: Buffer.from(fieldToBytes(facts.commitment)).toString('hex'),
      expiresAt: facts.expiresAt,
      revoked: false,
    },
    ruleSet: { address: address(facts.rule), ruleHash: facts.ruleHash, maxPassAgeSeconds },
    verifier: { active: true },
    circuit: { id: circuit, artifactsDigest: digest, retiredAt: null },
    deployment: { artifactsDigest: digest, genesisHash, acceptedSetups: ['development'] },
    clauses: facts.clauses,
    chainTime: facts.expiresAt - maxPassAgeSeconds,
  } as unknown as VerifiedFacts;
  markVerified(record);
  return buildEligibilityContext(record.credential, record.ruleSet, facts.expiresAt);
}

afterAll(disposeProver);

describe('generateEligibilityProof', () => {
  it('proves for the wallet, rule set and expiry of the context, and returns nothing secret', async () => {
    const context = contextWith();
    const { proof, ...others } = await generateEligibilityProof(context, witness, source);
    const { rule, asOf } = context;
    expect(others).toEqual({ rule, wallet: witness.wallet, expiresAt: facts.expiresAt, asOf });
    expect(proof).toBeInstanceOf(Uint8Array);
    expect(proof).toHaveLength(256);
  });

  it('rejects artifacts of another circuit, and development keys on mainnet', async () => {
    for (const change of [{ circuit: 'another' }, { genesisHash: MAINNET_GENESIS }]) {
      const proving = generateEligibilityProof(contextWith(change), witness, source);
      await expect(proving).rejects.toThrow(serviceError('ARTIFACTS_INVALID'));
    }
  });

  it('rejects with a code if the caller’s source throws, rejects or resolves to undefined', async () => {
    // A new one each time, because the client remembers those of the source.
    const unreadable = () => {
      throw new TypeError('a bug of the page');
    };
    for (const load of [
      () => Promise.reject(new TypeError('a bug of the page')),
      async () => Object.defineProperty({}, 'vkey', { get: unreadable }) as never,
      async () => ({ ...artifacts, manifest: { toJSON: unreadable } }) as never,
      unreadable,
      () => Promise.resolve(undefined as never),
    ]) {
      const proving = generateEligibilityProof(contextWith(), witness, { digest, load });
      await expect(proving).rejects.toThrow(serviceError('ARTIFACTS_INVALID'));
    }
  });

  it('rejects a witness of another credential and does not quote it', async () => {
    const others = { ...witness, region: REGIONS.find(({ code }) => code !== witness.region)!.code };
    const wrong = await generateEligibilityProof(contextWith(), others, source).catch((thrown) => thrown);
    expect(wrong).toMatchObject({ code: 'WITNESS_INVALID' });
    for (const secret of [witness.salt, witness.person]) {
      expect(inspect(wrong, { depth: 10, showHidden: true })).not.toContain(secret);
    }
    const secrets = new RegExp(`${others.region}|${witness.birthDate}`);
    expect(`${wrong.message}${JSON.stringify(wrong)}`).not.toMatch(secrets);
  });

  it('ends with an abort before it loads anything', async () => {
    const load = vi.fn();
    const signal = AbortSignal.abort();
    const proving = generateEligibilityProof(contextWith(), witness, { digest, load }, { signal });
    await expect(proving).rejects.toThrow(serviceError('ABORTED'));
    expect(load).not.toHaveBeenCalled();
  });
});
