/** Defines hostile modes. */
import type { OperationKind, ServiceErrorCode } from '@service/sdk';
import { type Address, address } from '@solana/kit';

/** The part of the protocol that a mode tampers with. */
export type HostileCategory = 'sign-in' | 'prepare' | 'reads' | 'outcome' | 'transport';

/** The call of the client that a mode attacks. */
export type HostileCall =
  | 'authenticate'
  | 'session'
  | 'passport'
  | 'config'
  | 'ruleSets'
  | 'startVerification'
  | 'waitForCredential'
  | 'proofContext'
  | 'prove'
  | 'artifacts.load'
  | 'prepare'
  | 'signAndSubmit'
  | 'createRuleSet'
  | 'waitForOperation';

/** Responds to a request instead of the service. `forward` sends a request to the real service. */
export type Tamper = (
  request: Request,
  forward: (request: Request) => Promise<Response>,
) => Promise<Response>;

/** One way in which a service can tamper, and what the client and a page do about it. */
export interface HostileMode {
  /** Kebab-case; unique. */
  readonly id: string;
  /** The part of the protocol that it tampers with. */
  readonly category: HostileCategory;
  /** What the service does, in one sentence. */
  readonly description: string;
  /** What a page should then show or do. */
  readonly page: string;
  /** The call of the client that it attacks. */
  readonly call: HostileCall;
  /** The error code that the call rejects with. Null if the call resolves with the truth nevertheless. */
  readonly code: ServiceErrorCode | null;
  /** Fields of the error's context, where several errors have the code. */
  readonly context?: Readonly<Record<string, unknown>>;
  /** The operation kinds that it works on. @default every kind */
  readonly kinds?: readonly OperationKind[];
  /** Starts to tamper, with a new state. */
  start(): Tamper;
}

/** An address that no test uses, for example of the service's own wallet. */
export const UNKNOWN_ADDRESS: Address = address('ALnBmwLeefY8VGXTJfjMnNHd4ypADFbtKxsEUgmVouEA');
