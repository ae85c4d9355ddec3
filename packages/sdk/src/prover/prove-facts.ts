import {
  type PassFacts,
  type PrivateInput,
  privateInput,
  ruleHash,
  type WitnessAttributes,
} from '@service/protocol/eligibility';
import { ServiceError } from '../errors.ts';
import { throwIfAborted, untilAborted } from '../lib/clock.ts';
import { orUnexpected } from '../lib/unexpected-error.ts';
import { requirePlatform } from '../platform/check-platform.ts';
import type { ArtifactSource } from './artifact-source/artifacts-from.ts';
import { unmetClauses, unrelatedWitness, type WitnessFacts } from './check-witness.ts';
import { guardListener } from './guard-listener.ts';
import type { NativeProver } from './native/native-prover.ts';
import { proveNatively } from './native/prove-natively.ts';
import type { ProofProgress } from './progress.ts';
import { fromEligibilityError } from './prover-errors.ts';
import { proverModules } from './worker/prover.ts';
import { proveInTurn } from './worker/proving-queue.ts';

const WHAT = 'Making the proof';

/** The facts to prove. They are read from the chain before the witness is used. */
export interface ProofFacts extends PassFacts, WitnessFacts {
  /** The rule hash on chain: 64 lowercase hex digits. */
  readonly ruleHash: string;
  /** The number of the place that the proof takes, if the rule set limits the wallets of each person. */
  readonly place?: number | undefined;
}

/** Options of every function that proves. */
export interface ProverOptions {
  /** Stops the proof. The promise rejects with ABORTED. */
  readonly signal?: AbortSignal | undefined;
  /** Called when the proof advances. If it throws, the proof ends and the promise rejects with that error. */
  readonly onProgress?: ((progress: ProofProgress) => void) | undefined;
  /** Makes the proof instead of the SDK's provers. Without WebAssembly, as in React Native, it is required. */
  readonly prover?: NativeProver | undefined;
}

/**
 * Proves facts with a witness: checks that they belong together, loads the pinned artifacts, makes the proof and
 * verifies it. Returns its 256 bytes, which the program reads and `POST /api/proofs` takes in base64. If the witness
 * cannot prove the facts, it fetches nothing.
 *
 * @throws ServiceError WITNESS_INVALID, RECORD_MISMATCH, NOT_ELIGIBLE with the unmet requirements of each clause,
 *   INVALID_ARGUMENT, UNSUPPORTED_PLATFORM, and the errors of {@link ArtifactSource.load}, and {@link proveInTurn} or
 *   {@link proveNatively}
 */
export function proveFacts(
  facts: ProofFacts,
  attributes: WitnessAttributes,
  artifacts: ArtifactSource,
  options: ProverOptions = {},
): Promise<Uint8Array> {
  const { prover } = options;
  const whole = (onProgress: (progress: ProofProgress) => void, signal: AbortSignal | undefined) =>
    orUnexpected(WHAT, async () => {
      throwIfAborted(signal, WHAT);
      requirePlatform(!prover);
      if (!prover) proverModules();
      const input = await checkedInput(facts, attributes);

      onProgress({ phase: 'artifacts', fraction: 0 });
      let arrived = 0;
      const onArrival = (fraction: number) => {
        if (!(fraction > arrived && fraction < 1)) return;
        arrived = fraction;
        onProgress({ phase: 'artifacts', fraction });
      };
      const files = await untilAborted(
        artifacts.load({ signal, onProgress: onArrival, forNative: prover !== undefined }),
        signal,
        WHAT,
      );
      throwIfAborted(signal, WHAT);
      onProgress({ phase: 'artifacts', fraction: 1 });
      onProgress({ phase: 'prover', fraction: 0 });
      if (prover) return proveNatively(input, files, prover, { signal, onProgress });
      const loadForSnarkjs = () => untilAborted(artifacts.load({ signal, forSnarkjs: true }), signal, WHAT);
      return proveInTurn(input, { files, loadForSnarkjs }, { signal, onProgress });
    });
  return guardListener(options.onProgress, options.signal, whole);
}

async function checkedInput(facts: ProofFacts, attributes: WitnessAttributes): Promise<PrivateInput> {
  const unmet = unmetClauses(attributes, facts);
  if (unmet === 'unrelated') {
    throw unrelatedWitness();
  }
  try {
    if ((await ruleHash(facts.clauses)) !== facts.ruleHash) {
      throw new ServiceError('RECORD_MISMATCH', {
        message:
          'The clauses do not have the rule hash of the rule set. Call client.proofContext again, which reads both from the chain.',
        context: { fields: ['ruleHash'] },
        retryable: false,
      });
    }
    if (unmet) {
      throw new ServiceError('NOT_ELIGIBLE', {
        message: 'The witness meets no clause of the rule set. See context.clauses. Nothing was sent.',
        context: { clauses: unmet },
      });
    }
    return await privateInput({ ...facts, attributes });
  } catch (error) {
    throw fromEligibilityError(error);
  }
}
