/** The states of a person on the way to a live pass. */
import type { Address } from '@solana/kit';
import { useEffect, useRef, useState } from 'react';
import { isServiceError } from '../../errors.ts';
import type { ProofCheckReason } from '../../preflight/proof-check-types.ts';
import type { WitnessStorage } from '../../query/witness-store.ts';
import type { PassLife } from '../../rpc/pass-life.ts';
import type { Wallet } from '../../wallet/wallet.ts';
import { useServiceClient } from '../provider.ts';
import { useCredential } from '../use-credential.ts';
import { useProve } from '../use-prove.ts';
import { usePass, usePassport, useProofCheck } from '../use-queries.ts';
import { useSession } from '../use-session.ts';
import { useWallet } from '../use-wallet.ts';
import { type TakenWitness, useWitness } from '../use-witness.ts';
import { useStartVerification } from '../use-writes.ts';
import type { PassGateState, PassGateStep } from './states.ts';

/** What {@link usePassGate} needs to know. */
export interface PassGateOptions {
  /** Base58 address of the rule set. */
  readonly rule: Address;
  /** The wallet of the person, if the page has it; null while none is connected. @default the one of `useWallet` */
  readonly wallet?: Wallet | null | undefined;
  /** A page under the site's origin that shows this gate. The verifier sends the person there. @default this page */
  readonly returnUrl?: string | undefined;
  /** Where the tab keeps the witness until the proof; null for memory only. @default () => sessionStorage */
  readonly storage?: (() => WitnessStorage) | null | undefined;
  /** Seconds before the expiry from which a renewal is offered, if the rule set allows one. @default 259200, three days */
  readonly renewWithin?: number | undefined;
  /** Leaves the page. @default location.assign */
  readonly leave?: ((url: string) => void) | undefined;
}

const RENEW_WITHIN = 259_200;
/** Seconds between two reads of an open pass. A pass can be suspended or ended. */
const READ_AGAIN = 60;
/** Reasons that another verification removes. */
const VERIFY: readonly ProofCheckReason['code'][] = [
  'CREDENTIAL_REQUIRED',
  'CREDENTIAL_EXPIRED',
  'WITNESS_INVALID',
];
/** Reasons that another verification may remove. */
const MAY_VERIFY: readonly ProofCheckReason['code'][] = [
  'NOT_ELIGIBLE',
  'VERIFIER_INACTIVE',
  'VERIFIER_NOT_ACCEPTED',
];
const inTab = () => sessionStorage;
const here = () => `${location.origin}${location.pathname}${location.search}`;

/**
 * Returns where a person stands on the way to a live pass of a rule set, and what they can do next: connect a wallet, sign
 * in, verify, prove, renew. `PassGate` shows the same. It opens only while your own RPC shows a live pass, and closes when
 * the pass expires.
 *
 * It hides nothing: everybody can read the code of a page. A server that has something to protect must read the pass itself.
 *
 * @example
 * function Page() {
 *   const gate = usePassGate({ rule });
 *   if (gate.state === 'open') return <p>Open until {new Date(Number(gate.pass.expiresAt) * 1000).toLocaleString()}</p>;
 *   return gate.state === 'prove' ? <button onClick={gate.prove}>Prove</button> : <p>{gate.state}</p>;
 * }
 */
export function usePassGate(options: PassGateOptions): PassGateState {
  const { rule, renewWithin = RENEW_WITHIN } = options;
  const client = useServiceClient();
  const chosen = useWallet();
  const isOwn = options.wallet !== undefined;
  const wallet = options.wallet ?? (isOwn ? null : chosen.wallet);
  const taken = useWitnessOfGate(wallet, options);
  const session = useSession(wallet);
  const isSignedIn = wallet !== null && session.status === 'signedIn';
  const pass = useOpenPass(rule, isSignedIn ? wallet.address : null);
  const isRenewable = pass.open !== null && pass.open.secondsLeft <= BigInt(Math.ceil(renewWithin));
  const isNeeded = isSignedIn && pass.isFetched && (pass.open === null || isRenewable);
  const { isFetching } = pass;
  /** The wallet whose challenge was fetched ahead. */
  const preparedFor = useRef<Address | null>(null);
  const step = useProofStep(options, { wallet: isSignedIn ? wallet : null, taken, isNeeded, isFetching });

  if (!wallet) {
    if (!isOwn && chosen.isStarting) return { state: 'loading' };
    const connect: typeof chosen.connect = async (each) => chosen.connect(each);
    const { wallets, isConnecting: isPending, error } = chosen;
    return { state: 'connect', wallets, connect: (each) => void connect(each), isPending, error };
  }
  if (session.status === 'loading') return { state: 'loading' };
  if (!isSignedIn) {
    const { mutate, isPending, error } = session.authenticate;
    const prepare = () => {
      if (preparedFor.current === wallet.address) return;
      preparedFor.current = wallet.address;
      // The sign-in itself reports what is wrong.
      client.prepareSignIn(wallet, client.deployment.genesisHash).catch(() => undefined);
    };
    const shown = isPending ? null : (error ?? session.error);
    return { state: 'signIn', wallet, signIn: () => mutate(), prepare, isPending, error: shown };
  }
  if (pass.open) {
    const isDue = isRenewable && step !== 'loading' && step.state !== 'failed' && !isTooEarly(step);
    return { state: 'open', wallet, pass: pass.open, renewal: isDue ? step : null };
  }
  if (!pass.isFetched || step === 'loading') {
    const { error, retry } = pass;
    return error ? { state: 'failed', error, retry } : { state: 'loading' };
  }
  return step.state === 'failed' ? step : { ...step, wallet };
}

/** Returns the witness of a wallet from where a gate keeps it. */
export function useWitnessOfGate(
  wallet: Wallet | null,
  { storage = inTab }: Pick<PassGateOptions, 'storage'>,
): TakenWitness {
  return useWitness(wallet, storage ? { storage } : {});
}

/** Reads the pass of a wallet. `open` is the pass while it is live: also while later reads fail, and never after its end. */
function useOpenPass(rule: Address, wallet: Address | null) {
  const query = usePass({ rule, wallet }, { refetchInterval: READ_AGAIN * 1_000, enabled: wallet !== null });
  const { dataUpdatedAt, isPlaceholderData } = query;
  // A page can let its QueryClient show the data of another key, here of another rule set, until the answer comes.
  const data = isPlaceholderData ? undefined : query.data;
  const [endedAt, setEndedAt] = useState(0);
  const life = Number(data?.secondsLeft ?? 0n) * 1_000;
  // The cache can be older than this component, and a device that sleeps runs no timer.
  const left = Math.min(life, dataUpdatedAt + life - Date.now());
  useEffect(() => {
    // Each read starts a new countdown, so the longest one that a timer can have is enough.
    const wait = Math.min(life, dataUpdatedAt + life - Date.now());
    if (wait <= 0 || wait > 2 ** 31 - 1) return;
    const timer = setTimeout(() => setEndedAt(dataUpdatedAt), wait);
    return () => clearTimeout(timer);
  }, [life, dataUpdatedAt]);
  const isOpen = wallet !== null && data?.wallet === wallet && left > 0;
  const open: PassLife | null = isOpen && endedAt !== dataUpdatedAt ? data : null;
  return {
    open,
    isFetched: query.isSuccess && !isPlaceholderData,
    isFetching: query.isFetching,
    error: query.isSuccess ? null : query.error,
    retry: () => void query.refetch(),
  };
}

type Failed = Extract<PassGateState, { readonly state: 'failed' }>;

/** Returns the next step to a pass, or to its renewal. Checks nothing while none is needed. */
function useProofStep(
  { rule, returnUrl, leave }: PassGateOptions,
  {
    wallet,
    taken,
    isNeeded,
    isFetching,
  }: {
    readonly wallet: Wallet | null;
    readonly taken: TakenWitness;
    /** Whether the person needs a step. */
    readonly isNeeded: boolean;
    /** Whether the pass is being read. */
    readonly isFetching: boolean;
  },
): PassGateStep | Failed | 'loading' {
  const { witness, isOfOtherWallet, forget } = taken;
  const credential = useCredential(witness);
  const { data: passport } = usePassport({ enabled: isNeeded });
  const check = useProofCheck({ rule, witness }, { enabled: isNeeded && credential.isFetched });
  const proof = useProve(wallet);
  const start = useStartVerification();
  if (!isNeeded) return 'loading';
  if (proof.isPending && proof.readiness === 'none') {
    const { progress, cancel } = proof;
    return { state: 'proving', progress, cancel: progress?.canCancel === false ? null : cancel };
  }
  // The pass that the proof opened is being read.
  if (proof.data && (isFetching || check.isFetching)) return 'loading';
  const isInReview = passport?.verification?.pendingSince !== undefined;
  if (credential.isOnItsWay) return { state: 'waiting', isInReview };
  if (!check.data) {
    if (!check.error) return 'loading';
    return { state: 'failed', error: check.error, retry: () => void check.refetch() };
  }
  const verify = () =>
    start.mutate(
      { returnUrl: returnUrl ?? here() },
      { onSuccess: ({ url }) => (leave ? leave(url) : location.assign(url)) },
    );
  const reasons = check.data.ok ? [] : check.data.reasons;
  const others = reasons.filter(({ code }) => !VERIFY.includes(code));
  const mustVerify = !witness || others.length < reasons.length;
  // Nobody should be verified for a pass that cannot be opened.
  const cannotWait = (reason: ProofCheckReason) =>
    reason.code === 'PASS_RENEWAL_TOO_EARLY' ||
    (reason.who !== 'holder' && !MAY_VERIFY.includes(reason.code));
  const blocking = mustVerify ? others.filter(cannotWait) : others;
  if (blocking.length > 0) {
    const canHelp = blocking.some(({ code }) => MAY_VERIFY.includes(code));
    const retry = () => void check.refetch();
    return {
      state: 'blocked',
      reasons: blocking,
      retry,
      verify: canHelp ? verify : null,
      error: start.error,
    };
  }
  if (mustVerify) {
    const { isPending } = start;
    const error = start.error ?? credential.error ?? proofError(proof.error) ?? taken.error;
    return { state: 'verify', verify, isPending, isOfOtherWallet, error };
  }
  const request = { rule, witness };
  // `error` shows a failed proof. A page that may not store data has nothing to forget there.
  const prove = () =>
    void proof
      .prove(request)
      .then(forget)
      .catch(() => undefined);
  return { state: 'prove', prove, prepare: () => proof.prepare(request), error: proof.error };
}

/** A cancelled proof shows no error once the person verifies again. */
const proofError = (error: ReturnType<typeof useProve>['error']) =>
  isServiceError(error, 'ABORTED') ? null : error;

/** Returns whether the rule set allows no renewal yet. */
function isTooEarly(step: PassGateStep): boolean {
  return step.state === 'blocked' && step.reasons.some(({ code }) => code === 'PASS_RENEWAL_TOO_EARLY');
}
