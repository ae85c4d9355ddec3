/** What a hostile mode is, and what a lie is made of. */
import type { OperationKind, ServiceErrorCode } from '@service/sdk';

/** Where in the life of a call the lie is told. Not in SPEC.md: for tests. */
export type HostileCategory = 'sign-in' | 'prepare' | 'reads' | 'outcome' | 'transport';

/** The call of the client that a mode is aimed at. Not in SPEC.md: for tests. */
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

/** One lie of a service, and what the client must do about it. Not in SPEC.md: for tests. */
export interface HostileMode {
  /** Kebab-case; unique. */
  readonly id: string;
  /** Which part of the protocol it lies about. */
  readonly category: HostileCategory;
  /** What the lie is, in one sentence. */
  readonly lie: string;
  /** The call of the client that is lied to. */
  readonly call: HostileCall;
  /** The code that the call is refused with; null where it resolves to the truth all the same. */
  readonly code: ServiceErrorCode | null;
  /** What the context of the error holds, where that tells one refusal from another. */
  readonly context?: Readonly<Record<string, unknown>>;
  /** Operations that it can be told of; every kind unless given. */
  readonly kinds?: readonly OperationKind[];
}

/** Whom the lie is told about, where a mode has more than one place for it. */
export interface LieOptions {
  /** Which of the accounts is changed, counted from 0 over those that can be. @default 0 */
  readonly at: number;
}

/** Passes a request on to the service behind, and tells of it what it likes. */
export type Liar = (request: Request, ask: (request: Request) => Promise<Response>) => Promise<Response>;

/** A mode with the maker of its liars; each liar has a memory of its own. */
export interface Lie {
  readonly mode: HostileMode;
  readonly liar: (options: LieOptions) => Liar;
}
