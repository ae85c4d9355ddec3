import {
  type CircuitInput,
  type ClauseMasks,
  circuitInput,
  commitmentOf,
  evaluateClause,
  matchingClause,
  type PassFacts,
  ruleHash,
  type WitnessAttributes,
} from '@service/protocol/eligibility';
import { ServiceError } from '../errors.ts';
import { throwIfAborted, untilAborted } from '../lib/deadline.ts';
import type { ArtifactSource } from './artifact-source/artifacts-from.ts';
import { guardListener } from './guard-listener.ts';
import type { ProofProgress } from './progress.ts';
import { fromEligibilityError } from './prover-errors.ts';
import { proveInTurn } from './worker/proving-queue.ts';

const WHAT = 'Making the proof';

/** What is proved: read from the chain, before the witness is touched. */
export interface ProofFacts extends PassFacts {
  /** The credential's commitment. */
  readonly commitment: bigint;
  /** The rule set's hash, as stored on chain: 64 lowercase hex digits. */
  readonly ruleHash: string;
  /** The rule set's clauses, in its own order. */
  readonly clauses: readonly ClauseMasks[];
  /** Date code of the day on which age is counted: `asOfDateCode`. */
  readonly asOf: number;
}

/**
 * Options of everything that proves. Not in SPEC.md: how the prover runs.
 *
 * @inline
 */
export interface ProverOptions {
  /** Stops the proof; the promise rejects with ABORTED. */
  readonly signal?: AbortSignal | undefined;
  /** Called as the proof advances. What it throws ends the proof and is what the promise rejects with. */
  readonly onProgress?: ((progress: ProofProgress) => void) | undefined;
}

/**
 * Proves some facts with a witness: checks that they belong together, loads the pinned artifacts, makes the proof and
 * verifies it. Gives its 256 bytes, as `POST /api/proofs` takes them (base64) and the program reads them.
 *
 * Nothing is fetched for a witness that cannot prove.
 *
 * @throws ServiceError WITNESS_INVALID, RECORD_MISMATCH, NOT_ELIGIBLE with what each clause leaves unmet,
 *   INVALID_ARGUMENT, and those of {@link ArtifactSource.load} and {@link proveInTurn}
 */
export function proveFacts(
  facts: ProofFacts,
  attributes: WitnessAttributes,
  artifacts: ArtifactSource,
  options: ProverOptions = {},
): Promise<Uint8Array> {
  return guardListener(options.onProgress, options.signal, async (onProgress, signal) => {
    throwIfAborted(signal, WHAT);
    const input = await checkedInput(facts, attributes);

    onProgress({ phase: 'artifacts', fraction: 0 });
    let arrived = 0;
    const onArrival = (fraction: number) => {
      if (!(fraction > arrived && fraction < 1)) return;
      arrived = fraction;
      onProgress({ phase: 'artifacts', fraction });
    };
    const files = await untilAborted(artifacts.load({ signal, onProgress: onArrival }), signal, WHAT);
    throwIfAborted(signal, WHAT);
    onProgress({ phase: 'artifacts', fraction: 1 });
    onProgress({ phase: 'prover', fraction: 0 });
    return proveInTurn(input, files, { signal, onProgress });
  });
}

async function checkedInput(facts: ProofFacts, attributes: WitnessAttributes): Promise<CircuitInput> {
  const { clauses, asOf } = facts;
  try {
    if (commitmentOf(attributes) !== facts.commitment) {
      throw new ServiceError('WITNESS_INVALID', {
        message:
          'The witness does not belong to this credential: its commitment differs. Use the witness of the last verification.',
        context: {},
      });
    }
    if ((await ruleHash(clauses)) !== facts.ruleHash) {
      throw new ServiceError('RECORD_MISMATCH', {
        message:
          "The clauses do not have the rule set's hash. Call client.proofContext again, which reads both from the chain.",
        context: { fields: ['ruleHash'] },
        retryable: false,
      });
    }
    if (matchingClause(attributes, clauses, asOf) === undefined) {
      throw new ServiceError('NOT_ELIGIBLE', {
        message: 'The witness meets no clause of the rule set. See context.clauses. Nothing was sent.',
        context: {
          clauses: clauses.map((clause, index) => ({
            clause: index,
            unmet: evaluateClause(attributes, clause, asOf).unmet,
          })),
        },
      });
    }
    return await circuitInput({ ...facts, attributes });
  } catch (error) {
    throw fromEligibilityError(error);
  }
}
