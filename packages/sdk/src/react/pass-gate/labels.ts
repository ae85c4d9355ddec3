/** The words of a pass gate. */
import type { ProofCheckReason } from '../../preflight/proof-check-types.ts';
import type { ProveStep } from '../../query/prove-progress.ts';

/** The words that a `PassGate` shows. */
export interface PassGateLabels {
  /** Names the whole gate for screen readers. */
  readonly gate: string;
  /** While the page asks the service and your RPC. */
  readonly loading: string;
  /** Asks for a wallet. */
  readonly connect: string;
  /** Shown if the browser has no wallet. */
  readonly noWallet: string;
  /** While the wallet asks the person to connect. */
  readonly connecting: string;
  /** The button of a wallet. `NAME` stands for its name. */
  readonly connectWallet: string;
  /** Asks for the sign-in. */
  readonly signIn: string;
  /** The button that signs in. */
  readonly signInButton: string;
  /** While the wallet asks for the signature. */
  readonly signingIn: string;
  /** Asks for the verification. */
  readonly verify: string;
  /** The button that goes to the verifier. */
  readonly verifyButton: string;
  /** Shown if the page has the witness of another wallet. */
  readonly otherWallet: string;
  /** While the credential is on its way. */
  readonly waiting: string;
  /** While people at the verifier review the data. */
  readonly inReview: string;
  /** Shown before the reasons. */
  readonly blocked: string;
  /** The button that checks again. */
  readonly retryButton: string;
  /** Asks for the proof. */
  readonly prove: string;
  /** The button that proves. */
  readonly proveButton: string;
  /** The button that cancels the proof. */
  readonly cancelButton: string;
  /** Shown before an error. */
  readonly failed: string;
  /** Shown before what a renewal needs. */
  readonly renew: string;
  /** The button that leaves the connected wallet. */
  readonly leaveButton: string;
  /** While the transaction is confirmed and not final. `SECONDS` stands for the estimate. */
  readonly finalIn: string;
  /** The steps of a proof. */
  readonly steps: Readonly<Record<ProveStep, string>>;
  /** What each reason means for the person. */
  readonly reasons: Readonly<Record<ProofCheckReason['code'], string>>;
}

/** English words. */
export const ENGLISH: PassGateLabels = Object.freeze({
  gate: 'Access',
  loading: 'One moment…',
  connect: 'Connect a wallet to continue.',
  noWallet: 'No wallet was found in this browser. Install one for Solana, then reload the page.',
  connecting: 'Confirm in your wallet.',
  connectWallet: 'Connect NAME',
  signIn: 'Sign in with your wallet. This signs a message and costs nothing.',
  signInButton: 'Sign in',
  signingIn: 'Confirm the sign-in in your wallet.',
  verify: 'You need to be verified once. Only the verifier sees your data.',
  verifyButton: 'Get verified',
  otherWallet: 'You verified another wallet. Choose that wallet to continue with it.',
  waiting: 'You are verified. Your credential is on its way.',
  inReview: 'The verifier reviews your data. This can take days, and you can close the page.',
  blocked: 'You cannot get a pass now:',
  retryButton: 'Check again',
  prove: 'Prove that you meet the rules. Your data stays on this device.',
  proveButton: 'Prove',
  cancelButton: 'Cancel',
  failed: 'Something went wrong.',
  renew: 'Your pass ends soon.',
  leaveButton: 'Use another wallet',
  finalIn: 'Confirmed. It will be final in about SECONDS seconds.',
  steps: Object.freeze({
    checks: 'Checking what you need.',
    artifacts: 'Loading the proof artifacts.',
    proof: 'Your device makes the proof.',
    verification: 'Your device checks the proof.',
    wallet: 'Confirm in your wallet.',
    finality: 'Waiting for the network.',
    confirmed: 'Confirmed. Waiting until it is final.',
    done: 'You have a pass.',
  }),
  reasons: Object.freeze({
    PROTOCOL_PAUSED: 'The protocol is paused. Try again later.',
    NOT_FOUND: 'The rule set does not exist on this network. Ask the operator of this page.',
    CREDENTIAL_REQUIRED: 'You need to be verified.',
    CREDENTIAL_EXPIRED: 'Your verification has expired. Verify again.',
    VERIFIER_INACTIVE: 'The verifier that verified you is no longer active. Verify again with another one.',
    VERIFIER_NOT_ACCEPTED: 'The rule set accepts only another verifier. Verify there.',
    CIRCUIT_RETIRED: 'This page is out of date. Ask its operator for an update.',
    CIRCUIT_MISMATCH: 'This page does not match the network. Ask its operator for an update.',
    PASS_FEE_UNSET: 'The network has no pass fee yet. Ask the operator of the service.',
    PASS_FEE_ABOVE_LIMIT: 'The rule set does not pay the current pass fee. Ask its creator.',
    PASS_FEE_UNFUNDED: 'The pass funds of the rule set are used up. Ask its creator.',
    PASS_SUSPENDED: 'The creator of the rule set suspended your pass. Ask the creator.',
    PASS_RENEWAL_TOO_EARLY: 'Your pass cannot be renewed yet.',
    PASS_EXPIRY_INVALID: 'The pass cannot have this expiry.',
    WITNESS_INVALID: 'The verification data on this page is out of date. Verify again.',
    NO_PLACE_FREE: 'Your other wallets hold all places that you can have.',
    PLACE_NOT_IN_RULE_SET: 'The rule set has no limit of wallets, so no wallet can be replaced.',
    PLACE_NOT_HELD: 'The wallet to replace holds no place.',
    PLACE_TAKEN_TOO_SOON: 'The wallet to replace got its place less than an hour ago. Try again later.',
    PLACE_HELD_BY_SUSPENDED:
      'The pass of the wallet to replace is suspended. Ask the creator of the rule set.',
    INSUFFICIENT_FUNDS: 'Your wallet has too little SOL for fees and rent. Send SOL to it, then check again.',
    NOT_ELIGIBLE: 'You do not meet the rules.',
  }),
});
