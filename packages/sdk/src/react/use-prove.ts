/** Proves with progress and cancel. */
import type { Witness } from '@service/contract';
import type { Address } from '@solana/kit';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ServiceError } from '../errors.ts';
import type { PassOpened, WriteOptions } from '../operations/writes.ts';
import { missing } from '../query/missing.ts';
import { proveMutationOptions } from '../query/mutations.ts';
import type { ProveProgress } from '../query/prove-progress.ts';
import { invalidateAfter } from '../query/stale-after.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { useProvided } from './provider.ts';
import {
  type Consent,
  keyOf,
  newConsent,
  type Readiness,
  readinessAfter,
  useDiscard,
} from './use-preparation.ts';

/** What `prove` of {@link useProve} takes. */
export interface UseProveRequest {
  /** Base58 address of the rule set. */
  readonly rule: Address;
  /** The witness, such as that of `useWitness`. It stays out of TanStack's cache. */
  readonly witness: Witness;
  /** Unix seconds at which the pass expires. @default the latest that the rule set and the credential allow */
  readonly expiresAt?: bigint | undefined;
  /** Base58 address of a wallet of the person that this one replaces. Everybody can see that. @default none */
  readonly replaces?: Address | undefined;
}

/** What {@link useProve} returns. */
export interface Prove {
  /**
   * Proves, and opens or renews the pass. While the wallet's proof of the same rule set is under way, a second call waits
   * for it and starts nothing. For another rule set, or another `replaces`, it throws SIGNED_OPERATION_PENDING. `error` shows each failure, so the
   * result may be ignored.
   */
  readonly prove: (request: UseProveRequest) => Promise<PassOpened>;
  /**
   * Makes the proof and every check that comes before the wallet's prompt, then waits. `prove` with an equal request then
   * asks the wallet in the same task, which a wallet that opens a window needs. A call with the request that is already
   * prepared does nothing. A call with another one or null cancels it, and so do another option of the hook and the end of
   * the session. If it fails, `error` says why.
   */
  readonly prepare: (request: UseProveRequest | null) => void;
  /** How far the proof is that `prepare` gets ready. */
  readonly readiness: Readiness;
  /** Cancels the proof. Does nothing once the wallet has signed, when `progress.canCancel` is false. */
  readonly cancel: () => void;
  /** The progress of the proof under way or of the last one, or null. */
  readonly progress: ProveProgress | null;
  /** Whether a proof is under way. */
  readonly isPending: boolean;
  /** The result of the last proof. */
  readonly data: PassOpened | undefined;
  /** The error of the last call of `prove`. */
  readonly error: ServiceError | null;
  /** Forgets the last proof and its progress. */
  readonly reset: () => void;
}

/** The part of a proof that TanStack keeps and devtools show. It does not contain the witness. */
interface Variables {
  readonly rule: Address;
}

/** One proof under way. */
interface Run {
  readonly request: UseProveRequest;
  readonly cancel: AbortController;
  /** Whether the person wants it to be signed. Null once that is certain, or if it was from the start. */
  consent: Consent | null;
  progress: ProveProgress | null;
  /** Its end, as soon as it has begun. */
  ended: Promise<PassOpened> | null;
}

/** The run of each mutation. */
const runs = new WeakMap<Variables, Run>();

/** What a component shows besides the state of its mutation. */
interface Shown {
  readonly progress: ProveProgress | null;
  readonly readiness: Readiness;
  /** The error of a call that started nothing. */
  readonly rejected: ServiceError | null;
}

const NOTHING: Shown = { progress: null, readiness: 'none', rejected: null };

/**
 * Proves a rule set with one progress of the whole way, as `proveWithProgress` of `@service/sdk/query` does. When the
 * component unmounts before the wallet has signed, the proof is cancelled (SPEC.md section 4).
 *
 * @example
 * function GetPass() {
 *   const { prove, cancel, progress } = useProve(wallet);
 *   return <>
 *     <progress value={progress?.fraction ?? 0} />
 *     <button onClick={() => prove({ rule, witness })}>Prove</button>
 *     <button disabled={!progress?.canCancel} onClick={cancel}>Cancel</button>
 *   </>;
 * }
 */
export function useProve(wallet: Wallet | null | undefined, options: WriteOptions = {}): Prove {
  const running = useRef<Run | null>(null);
  /** The request that could not be prepared. An effect that prepares it after each render must not start it again. */
  const failed = useRef<string | null>(null);
  const [{ progress, readiness, rejected }, show] = useState(NOTHING);
  const note = (run: Run, next: Partial<Shown>) => {
    if (running.current === run) show((before) => ({ ...before, ...next }));
  };
  const { mutateAsync, isPending, data, error, reset } = useProveMutation(wallet, options, note);

  const cancel = useCallback(() => {
    const run = running.current;
    if (!run || run.progress?.canCancel === false) return;
    run.cancel.abort();
    running.current = null;
    show((before) => ({ ...before, readiness: 'none' }));
  }, []);
  /** Cancels the proof under way if nobody has confirmed it. */
  const discard = useCallback(() => {
    failed.current = null;
    if (running.current?.consent) cancel();
  }, [cancel]);
  const start = useCallback(
    (request: UseProveRequest, consent: Consent | null): Promise<PassOpened> => {
      const run: Run = { request, cancel: new AbortController(), consent, progress: null, ended: null };
      show({ ...NOTHING, readiness: consent ? 'preparing' : 'none' });
      running.current = run;
      const onEnd = (error?: unknown) => {
        if (running.current !== run) return;
        running.current = null;
        const readiness = run.consent ? readinessAfter(error) : 'none';
        if (readiness === 'failed') failed.current = keyOf(request);
        show((before) => ({ ...before, readiness, rejected: null }));
      };
      const ended = mutateAsync(variablesOf(run));
      ended.then(() => onEnd(), onEnd);
      run.ended = shown(ended);
      return run.ended;
    },
    [mutateAsync],
  );
  const prove = useCallback(
    (request: UseProveRequest): Promise<PassOpened> => {
      const other = running.current;
      if (other?.consent && keyOf(other.request) === keyOf(request)) {
        other.consent.give();
        other.consent = null;
        show((before) => ({ ...before, readiness: 'none' }));
      }
      discard();
      if (!running.current) return start(request, null);
      const { ended, request: under } = running.current;
      if (ended && under.rule === request.rule && under.replaces === request.replaces) return ended;
      const underWay = proofUnderWay(running.current);
      show((before) => ({ ...before, rejected: underWay }));
      return shown(Promise.reject(underWay));
    },
    [start, discard],
  );
  const prepare = useCallback(
    (request: UseProveRequest | null) => {
      const other = running.current;
      // A proof that is confirmed goes on.
      if (other && !other.consent) return;
      const key = request && keyOf(request);
      if (key && (key === failed.current || (other && key === keyOf(other.request)))) return;
      discard();
      if (request) void start(request, newConsent());
      else show((before) => ({ ...before, readiness: 'none' }));
    },
    [start, discard],
  );
  const forget = useCallback(() => {
    reset();
    show(NOTHING);
  }, [reset]);
  const address = wallet?.address;
  // biome-ignore lint/correctness/useExhaustiveDependencies: also cancels when the person chooses another wallet.
  useEffect(
    () => () => {
      cancel();
      // An operation that the wallet has signed continues. It does not belong to the next wallet.
      running.current = null;
      show(NOTHING);
    },
    [cancel, address],
  );
  useDiscard(discard, address, options);
  const state = { progress, readiness, isPending, data, error: rejected ?? error };
  return { ...state, prove, prepare, cancel, reset: forget };
}

/** Returns the mutation that makes the proof of a run. Reports the progress of each run. */
function useProveMutation(
  wallet: Wallet | null | undefined,
  options: WriteOptions,
  note: (run: Run, next: Partial<Shown>) => void,
) {
  const { client, witnesses } = useProvided();
  const queryClient = useQueryClient();
  return useMutation({
    ...proveMutationOptions(client, wallet),
    mutationFn(variables: Variables) {
      const run = runs.get(variables);
      if (!run) throw missing('request', `Call prove of useProve for ${variables.rule}.`);
      const { rule, witness, expiresAt, replaces } = run.request;
      const { consent } = run;
      const ahead = consent && {
        onReady() {
          if (run.consent) note(run, { readiness: 'ready' });
          return consent.given;
        },
      };
      const { mutationFn } = proveMutationOptions(client, wallet, {
        ...options,
        ...ahead,
        witness,
        signal: run.cancel.signal,
        onProgress(progress) {
          run.progress = progress;
          note(run, { progress });
        },
      });
      return mutationFn({ rule, expiresAt, replaces });
    },
    onError(error, variables) {
      const run = runs.get(variables);
      if (run && error.code === 'WITNESS_INVALID') witnesses.reject(run.request.witness);
    },
    onSettled: () => void invalidateAfter(queryClient, client, 'PROVE', wallet?.address),
  });
}

/** Returns the variables of a run, by which its mutation finds it. */
function variablesOf(run: Run): Variables {
  const variables = { rule: run.request.rule };
  runs.set(variables, run);
  return variables;
}

/** Marks a failure as handled, because `error` shows it. So a page can call `prove` and ignore what it returns. */
function shown<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

function proofUnderWay({ request, progress }: Run): ServiceError {
  const { operationId } = progress ?? {};
  return new ServiceError('SIGNED_OPERATION_PENDING', {
    message: `A proof of the rule set ${request.rule} is under way. Wait until it has ended, or cancel it.`,
    context: operationId ? { operationId } : {},
  });
}
