import { addressBytes, type Witness } from '@service/contract';
import { bytesToField } from '@service/protocol/eligibility/field';
import type { Address } from '@solana/kit';
import { isServiceError, ServiceError } from '../errors.ts';
import { throwIfAborted } from '../lib/deadline.ts';
import { loadChunk } from '../lib/load-chunk.ts';
import type { ArtifactSource, LoadOptions } from '../prover/artifact-source/artifacts-from.ts';
import { type CheckedArtifacts, checkAgain } from '../prover/artifact-source/check-artifacts.ts';
import { refuseDevelopmentSetup } from '../prover/artifact-source/refuse-development-setup.ts';
import type { ProverOptions } from '../prover/prove-facts.ts';
import { artifactsInvalid } from '../prover/prover-errors.ts';
import { type EligibilityContext, isEligibilityContext } from './context.ts';
import { attributesOf, parseWitness } from './witness.ts';

/**
 * A verified proof with what it is for; takes the place of a request of `client.prove`. Holds nothing secret (SPEC.md
 * section 1).
 */
export interface EligibilityProof {
  /** Address of the rule set. */
  readonly rule: Address;
  /** The wallet that it proves for. */
  readonly wallet: Address;
  /** Unix seconds at which the pass will expire. */
  readonly expiresAt: bigint;
  /** 256 bytes. */
  readonly proof: Uint8Array;
}

/**
 * Proves that the holder of the witness meets the rule set, without saying how (SPEC.md section 1). Checks the witness
 * against the credential on chain and against the clauses first, loads the artifacts and checks every byte of them
 * against the pinned digest, makes the proof and verifies it before returning it. Nothing is posted.
 *
 * @param context of {@link buildEligibilityContext}
 * @param artifacts of `artifactsFrom`, or `client.artifacts`
 * @throws ServiceError NOT_ELIGIBLE with what each clause leaves unmet, WITNESS_INVALID, WALLET_MISMATCH,
 *   ARTIFACTS_INVALID, PROVER_FAILED, RECORD_NOT_VERIFIED, ABORTED; NETWORK_ERROR, TIMEOUT of artifacts and code
 * @example
 * const proof = await generateEligibilityProof(context, witness, client.artifacts);
 * await client.prove(wallet, proof);
 */
export async function generateEligibilityProof(
  context: EligibilityContext,
  witness: Witness,
  artifacts: ArtifactSource,
  options: ProverOptions = {},
): Promise<EligibilityProof> {
  if (!isEligibilityContext(context)) {
    throw new ServiceError('RECORD_NOT_VERIFIED', {
      message: 'context must be the object that buildEligibilityContext returned, not a copy of it.',
      context: {},
    });
  }
  const { wallet, rule, expiresAt, clauses, asOf } = context;
  checkDigest(context, artifacts);
  const own = parseWitness(witness);
  const attributes = attributesOf(own);
  if (own.wallet !== wallet) {
    throw new ServiceError('WALLET_MISMATCH', {
      message: `The witness is of the wallet ${own.wallet}, the context of ${wallet}. Use the witness of this wallet.`,
      context: { expected: wallet, received: own.wallet },
    });
  }
  // The prover with Poseidon and snarkjs is a chunk of its own: who never proves never loads it.
  const { proveFacts } = await loadChunk(() => import('../prover/index.ts'), options.signal);
  const proof = await proveFacts(
    {
      commitment: fieldOf(context.commitment),
      ruleHash: context.ruleHash,
      clauses,
      rule: addressBytes(rule),
      wallet: addressBytes(wallet),
      expiresAt,
      asOf,
    },
    attributes,
    usableHere(context, artifacts),
    options,
  );
  return Object.freeze({ rule, wallet, expiresAt, proof });
}

function checkDigest(context: EligibilityContext, artifacts: ArtifactSource): void {
  if (artifacts.digest === context.artifactsDigest) return;
  throw new ServiceError('ARTIFACTS_INVALID', {
    message: `artifacts have the digest ${artifacts.digest}, the deployment pins ${context.artifactsDigest}. Use client.artifacts, or artifactsFrom with that digest.`,
    context: {},
  });
}

/** The same artifacts, checked again, and refused when they are for another circuit or too weak for the cluster. */
function usableHere(context: EligibilityContext, artifacts: ArtifactSource): ArtifactSource {
  return {
    digest: context.artifactsDigest,
    async load(options) {
      const loaded = await checkAgain(
        context.artifactsDigest,
        await loadFrom(artifacts, options),
        options?.signal,
      );
      refuseDevelopmentSetup(loaded.manifest, context.genesisHash);
      if (loaded.manifest.circuit !== context.circuit) {
        throw new ServiceError('ARTIFACTS_INVALID', {
          message: `The artifacts are of the circuit ${loaded.manifest.circuit}, the chain takes proofs of ${context.circuit}.`,
          context: {},
        });
      }
      return loaded;
    },
  };
}

function fieldOf(hex: string): bigint {
  return bytesToField(Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)));
}

/** Whatever a source of the caller's own throws becomes a code. */
async function loadFrom(artifacts: ArtifactSource, options?: LoadOptions): Promise<CheckedArtifacts> {
  try {
    return await artifacts.load(options);
  } catch (error) {
    throwIfAborted(options?.signal, 'Loading the artifacts');
    if (isServiceError(error)) throw error;
    throw artifactsInvalid('The artifacts could not be loaded from the source that was given.', error);
  }
}
