/** The states of a pass gate: what the person sees, and what they can do next. */
import type { ServiceError } from '../../errors.ts';
import type { ProofCheckReason } from '../../preflight/proof-check-types.ts';
import type { ProveProgress } from '../../query/prove-progress.ts';
import type { PassLife } from '../../rpc/pass-life.ts';
import type { Wallet } from '../../wallet/wallet.ts';
import type { BrowserWallet } from '../browser-wallets.ts';

/** What leads to a pass, or to its renewal. Each has only what the person can do in it. */
export type PassGateStep =
  /** The person must be verified. */
  | {
      readonly state: 'verify';
      /** Starts a verification, and leaves the page for the verifier. */
      readonly verify: () => void;
      /** Whether this is under way. */
      readonly isPending: boolean;
      /** Whether the page has the witness of another wallet: the person may have to choose that one. */
      readonly isOfOtherWallet: boolean;
      /** What went wrong in this step, or null. */
      readonly error: ServiceError | null;
    }
  /** The person is verified, and the credential is not on chain yet, or people at the verifier review it. */
  | {
      readonly state: 'waiting';
      /** Whether people at the verifier review the data, which can take days. */
      readonly isInReview: boolean;
    }
  /** Something is missing. Each reason names who can act on it. */
  | {
      readonly state: 'blocked';
      /** What is missing. */
      readonly reasons: readonly ProofCheckReason[];
      /** Checks again. */
      readonly retry: () => void;
      /** Starts another verification, if that can help; else null. */
      readonly verify: (() => void) | null;
      /** What went wrong in this step, or null. */
      readonly error: ServiceError | null;
    }
  /** The person can prove. */
  | {
      readonly state: 'prove';
      /** Proves, which asks the wallet. Call it in a click. */
      readonly prove: () => void;
      /** Makes the proof ahead of the click, for wallets that open a window. Call it when the pointer comes near. */
      readonly prepare: () => void;
      /** What went wrong in this step, or null. */
      readonly error: ServiceError | null;
    }
  /** The proof is made, signed and sent. */
  | {
      readonly state: 'proving';
      /** How far the proof is; null at first. */
      readonly progress: ProveProgress | null;
      /** Cancels the proof; null once it cannot be cancelled. */
      readonly cancel: (() => void) | null;
    };

/** A state of {@link usePassGate}. */
export type PassGateState =
  /** The page asks the service and your RPC. Servers render this. */
  | { readonly state: 'loading' }
  /** The person chooses a wallet. */
  | {
      readonly state: 'connect';
      /** The wallets of the browser. */
      readonly wallets: readonly BrowserWallet[];
      /** Connects a wallet. Call it in a click. */
      readonly connect: (wallet: BrowserWallet) => void;
      /** Whether this is under way. */
      readonly isPending: boolean;
      /** What went wrong in this step, or null. */
      readonly error: ServiceError | null;
    }
  /** The person signs in with the wallet. */
  | {
      readonly state: 'signIn';
      /** The connected wallet. */
      readonly wallet: Wallet;
      /** Signs in, which asks the wallet. Call it in a click. */
      readonly signIn: () => void;
      /** Fetches the challenge ahead of the click, for wallets that open a window. */
      readonly prepare: () => void;
      /** Whether this is under way. */
      readonly isPending: boolean;
      /** What went wrong in this step, or null. */
      readonly error: ServiceError | null;
    }
  /** A question to the service or to your RPC failed. */
  | {
      readonly state: 'failed';
      /** What went wrong. */
      readonly error: ServiceError;
      /** Asks again. */
      readonly retry: () => void;
    }
  | (PassGateStep & {
      /** The connected wallet. */
      readonly wallet: Wallet;
    })
  /** The wallet has a live pass. */
  | {
      readonly state: 'open';
      /** The connected wallet. */
      readonly wallet: Wallet;
      /** The live pass. */
      readonly pass: PassLife;
      /** The next step of a renewal; null while none is due. */
      readonly renewal: PassGateStep | null;
    };
