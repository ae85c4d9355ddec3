/** Defines hostile modes, and makes them from tables. */
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

/** One way in which a service can tamper, and what the client must do about it. */
export interface HostileMode {
  /** Kebab-case; unique. */
  readonly id: string;
  /** The part of the protocol that it tampers with. */
  readonly category: HostileCategory;
  /** What the service does, in one sentence. */
  readonly description: string;
  /** The call of the client that it attacks. */
  readonly call: HostileCall;
  /** The error code that the call rejects with. Null if the call resolves with the truth nevertheless. */
  readonly code: ServiceErrorCode | null;
  /** Fields of the error's context, where several errors have the code. */
  readonly context?: Readonly<Record<string, unknown>>;
  /** The operation kinds that it works on. @default every kind */
  readonly kinds?: readonly OperationKind[];
}

/** Sends a request to the real service. */
export type Forward = (request: Request) => Promise<Response>;

/** Responds to a request instead of the real service. */
export type Tamper = (request: Request, forward: Forward) => Promise<Response>;

/** Options of {@link Tampering.start}. */
export interface TamperOptions {
  /** The account to change, in modes that change one: its index among those that the mode can change. @default 0 */
  readonly at: number;
}

/** A mode with its implementation. */
export interface Tampering {
  readonly mode: HostileMode;
  /** Starts to tamper, with a new state. */
  readonly start: (options: TamperOptions) => Tamper;
}

/** Modes by id, without the category: the description, the change, and the fields that differ from the table's defaults. */
export type Table<Change> = Readonly<
  Record<string, readonly [description: string, change: Change, differs?: Partial<HostileMode>]>
>;

/** Makes a tampering of each row of a table. */
export function tamperings<Change>(
  defaults: Omit<HostileMode, 'id' | 'description'>,
  start: (change: Change, mode: HostileMode, options: TamperOptions) => Tamper,
  table: Table<Change>,
): readonly Tampering[] {
  return Object.entries(table).map(([name, [description, change, differs]]) => {
    const mode = { ...defaults, id: `${defaults.category}-${name}`, description, ...differs };
    return { mode, start: (options) => start(change, mode, options) };
  });
}

/** An address that no test uses, for example of the service's own wallet. */
export const UNKNOWN_ADDRESS: Address = address('ALnBmwLeefY8VGXTJfjMnNHd4ypADFbtKxsEUgmVouEA');
