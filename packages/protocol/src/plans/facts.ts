/** The facts from the chain that a plan needs besides the intent. Client and server each read them from their own RPC. */
import type { Address } from '@solana/kit';

/** Facts for PROVE: the Verifier account of the wallet's credential and the Circuit account of the proof. */
export interface ProveFacts {
  readonly verifier: Address;
  readonly circuit: Address;
}

/** Facts for ISSUE and RECOVER: the bound rule set and who owns the destination. */
export interface IssueFacts {
  readonly rule: Address;
  readonly destinationOwner: Address;
}

/** Facts for TRANSFER: the binding, the mint's decimals and who owns both token accounts. */
export interface TransferFacts {
  readonly rule: Address;
  readonly requireSource: boolean;
  /** Whether the transfer also reads the credential of each owner whose pass it reads. */
  readonly readsCredential: boolean;
  readonly decimals: number;
  readonly sourceOwner: Address;
  readonly destinationOwner: Address;
}
