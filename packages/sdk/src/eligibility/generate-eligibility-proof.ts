import type { Witness } from '@service/contract';
import { addressBytes } from '@service/contract/address';
import { bytesToField } from '@service/protocol/eligibility/field';
import { joinProof } from '@service/protocol/eligibility/proof/proof-with-place';
import type { Address } from '@solana/kit';
import { ServiceError } from '../errors.ts';
import { checkOptions, checkProver, checkSource, invalidArgument } from '../lib/check-arguments.ts';
import type { ArtifactSource } from '../prover/artifact-source/artifacts-from.ts';
import type { ProverOptions } from '../prover/prove-facts.ts';
import { type EligibilityContext, isEligibilityContext } from './eligibility-context.ts';
import { loadProver } from './load-prover.ts';
import { attributesOf, parseWitness } from './witness.ts';
import { checkWitnessOf } from './witness-owner.ts';

/**
 * A verified proof and the facts that it is for. Pass it to `client.prove`. It contains nothing secret (SPEC.md section
 * 1).
 */
export interface EligibilityProof {
  /** Address of the rule set. */
  readonly rule: Address;
  /** The wallet of the credential. */
  readonly wallet: Address;
  /** Unix seconds at which the pass will expire. */
  readonly expiresAt: bigint;
  /** Date code of the day for which it computes ages. Submit it by the end of the next day, in UTC. */
  readonly asOf: number;
  /** The proof, 256 bytes; with a place 289: the proof, the number of the place (1), and the tag of the person for it (32). */
  readonly proof: Uint8Array;
}

/** Options of {@link generateEligibilityProof}. */
export interface EligibilityProofOptions extends ProverOptions {
  /**
   * The number of the place that the proof takes, from 0. Required if the rule set has `walletsPerPerson`. `client.prove` with
   * the witness chooses one itself.
   */
  readonly place?: number | undefined;
}

/**
 * Proves in zero knowledge that the holder of the witness meets the rule set (SPEC.md section 1). First it checks the
 * witness against the credential on chain and against the clauses. Then it loads the artifacts and checks every byte
 * against the pinned digest. Last it makes the proof and verifies it. It sends nothing to the service.
 *
 * @param context of {@link buildEligibilityContext}
 * @param artifacts of `artifactsFrom`, or `client.artifacts`
 * @throws ServiceError INVALID_ARGUMENT, NOT_ELIGIBLE with the unmet requirements of each clause, WITNESS_INVALID, WALLET_MISMATCH,
 *   ARTIFACTS_INVALID, PROVER_FAILED, UNSUPPORTED_PLATFORM, RECORD_NOT_VERIFIED, ABORTED; NETWORK_ERROR, TIMEOUT of artifacts and code
 * @example
 * const proof = await generateEligibilityProof(context, witness, client.artifacts);
 * await client.prove(wallet, proof);
 */
export async function generateEligibilityProof(
  context: EligibilityContext,
  witness: Witness,
  artifacts: ArtifactSource,
  options: EligibilityProofOptions = {},
): Promise<EligibilityProof> {
  if (!isEligibilityContext(context)) {
    throw new ServiceError('RECORD_NOT_VERIFIED', {
      message:
        'context was not returned by buildEligibilityContext. Pass the object that it returned, not a copy.',
    });
  }
  checkOptions(options);
  checkSource(artifacts);
  checkProver(options.prover);
  const { wallet, rule, expiresAt, clauses, asOf } = context;
  const { place } = options;
  checkPlaceOf(context, place);
  checkDigest(context, artifacts);
  const own = parseWitness(witness);
  const attributes = attributesOf(own);
  checkWitnessOf(wallet, own);
  const { proveFacts, tagOfPlace, usableArtifacts } = await loadProver(options.signal);
  const proof = await proveFacts(
    {
      commitment: fieldOf(context.commitment),
      ruleHash: context.ruleHash,
      clauses,
      rule: addressBytes(rule),
      wallet: addressBytes(wallet),
      expiresAt,
      asOf,
      place,
    },
    attributes,
    usableArtifacts(context, artifacts),
    options,
  );
  const taken =
    place === undefined ? {} : { place: { number: place, tag: await tagOfPlace(rule, place, attributes) } };
  return Object.freeze({ rule, wallet, expiresAt, asOf, proof: joinProof({ proof, ...taken }) });
}

function checkPlaceOf({ walletsPerPerson }: EligibilityContext, place: number | undefined): void {
  const isPlace = Number.isInteger(place) && place! >= 0 && place! < walletsPerPerson;
  if (walletsPerPerson === 0 ? place === undefined : isPlace) return;
  throw invalidArgument(
    'place',
    walletsPerPerson === 0
      ? 'The rule set does not limit the wallets of a person. Leave out options.place.'
      : `options.place must be a whole number from 0 to ${walletsPerPerson - 1}: a place that is free or that the wallet holds. fetchPlaces of @service/sdk/chain returns them.`,
  );
}

function checkDigest(context: EligibilityContext, artifacts: ArtifactSource): void {
  if (artifacts.digest === context.artifactsDigest) return;
  throw new ServiceError('ARTIFACTS_INVALID', {
    message: `artifacts has the digest ${artifacts.digest}, but the deployment pins ${context.artifactsDigest}. Use client.artifacts, or artifactsFrom with the pinned digest.`,
  });
}

function fieldOf(hex: string): bigint {
  return bytesToField(Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)));
}
