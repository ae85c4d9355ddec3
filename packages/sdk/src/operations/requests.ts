/** What callers ask for, the request that the service gets, and the intent that the transaction is rebuilt from. */
import {
  type Clause,
  clauseMasks,
  type OperationKind,
  PASS_AGE_SECONDS,
  type RegionCode,
  type StatusCode,
  type Witness,
} from '@service/contract';
import type {
  BindMintIntent,
  CreateRuleSetIntent,
  Intent,
  IssueIntent,
  ProveIntent,
  TransferIntent,
} from '@service/protocol';
import type { Address } from '@solana/kit';
import { ServiceError } from '../errors.ts';
import type { CallOf } from '../http/transport.ts';
import type { ArtifactSource } from '../prover/artifact-source/artifacts-from.ts';

/**
 * A clause to be created: holds for one of the regions, one of the statuses and an age of at least minAge whole years
 * (SPEC.md section 4).
 *
 * @inline
 */
export interface ClauseRequest {
  /** Region codes of REGIONS, ISO 3166-1 alpha-2. */
  readonly regions: readonly RegionCode[];
  /** Status codes of STATUSES. */
  readonly statuses: readonly StatusCode[];
  /** Whole years, 0 to 120. */
  readonly minAge: number;
}

/** A rule set to be created (SPEC.md section 4). */
export interface CreateRuleSetRequest {
  /** 1 to 32 bytes of UTF-8. */
  readonly name: string;
  /** Decides the address together with the creator. @default a random u64 */
  readonly nonce?: bigint | undefined;
  /** 1 to 8; the rule set is met by who meets one of them. */
  readonly clauses: readonly ClauseRequest[];
  /** Longest life of a pass in seconds, 3600 to 31622400. */
  readonly maxPassAgeSeconds: bigint;
}

/** A mint to be bound to a rule set (SPEC.md section 4). */
export interface BindMintRequest {
  /** A Token-2022 mint of the binding profile; `createBindableMint` makes one. */
  readonly mint: Address;
  /** The rule set that transfers will ask. */
  readonly rule: Address;
  /** Whether the sender of a transfer needs a live pass too. */
  readonly requireSource: boolean;
}

/**
 * A proof to be posted; what `generateEligibilityProof` returns is one (SPEC.md section 4).
 *
 * @inline
 */
export interface ProveFromProof {
  /** The rule set that the proof is of. */
  readonly rule: Address;
  /** Unix seconds. */
  readonly expiresAt: bigint;
  /** 256 bytes. */
  readonly proof: Uint8Array;
}

/**
 * A rule set to be proved from the witness (SPEC.md section 1).
 *
 * @inline
 */
export interface ProveFromWitness {
  /** The rule set to prove. */
  readonly rule: Address;
  /** As the verifier handed it over; it stays on this machine. */
  readonly witness: Witness;
  /** Unix seconds. @default the latest that the rule set and the credential allow */
  readonly expiresAt?: bigint | undefined;
  /** @default client.artifacts */
  readonly artifacts?: ArtifactSource | undefined;
}

/** A rule set to be proved: by the proof, or by the witness that a proof is made from (SPEC.md section 4). */
export type ProveRequest = ProveFromProof | ProveFromWitness;

/** Tokens to be issued (SPEC.md section 4). */
export interface IssueRequest {
  /** A mint that this wallet has bound. */
  readonly mint: Address;
  /** Token account; `tokenAccountOf({ mint, owner })` gives the usual one. */
  readonly destination: Address;
  /** Base units. */
  readonly amount: bigint;
}

/** Tokens to be transferred (SPEC.md section 4). */
export interface TransferRequest {
  /** A bound mint. */
  readonly mint: Address;
  /** Token account of the signing wallet. */
  readonly source: Address;
  /** Token account that receives; its owner needs a live pass. */
  readonly destination: Address;
  /** Base units. */
  readonly amount: bigint;
}

/** The request of each operation kind (SPEC.md section 4). */
export interface Requests {
  /** Of `createRuleSet`. */
  readonly CREATE_RULE_SET: CreateRuleSetRequest;
  /** Of `bindMint`. */
  readonly BIND_MINT: BindMintRequest;
  /** Of `prove`. */
  readonly PROVE: ProveFromProof;
  /** Of `issue`. */
  readonly ISSUE: IssueRequest;
  /** Of `transfer`. */
  readonly TRANSFER: TransferRequest;
}

/** The names of the preparing endpoints in contract's ROUTES. */
export const PREPARING_ROUTES = {
  CREATE_RULE_SET: 'createRuleSet',
  BIND_MINT: 'bindMint',
  PROVE: 'prove',
  ISSUE: 'issue',
  TRANSFER: 'transfer',
} as const satisfies Record<OperationKind, string>;

/** A request, read once: its wire body, and how it becomes an intent when the wallet is known. */
export interface ReadRequest<K extends OperationKind> {
  readonly kind: K;
  /** A copy that the caller cannot change any more. */
  readonly request: Requests[K];
  readonly body: Bodies[K];
  intentOf(wallet: Address): Extract<Intent, { kind: K }>;
}

interface Bodies {
  readonly CREATE_RULE_SET: CallOf<'createRuleSet'>['body'];
  readonly BIND_MINT: CallOf<'bindMint'>['body'];
  readonly PROVE: CallOf<'prove'>['body'];
  readonly ISSUE: CallOf<'issue'>['body'];
  readonly TRANSFER: CallOf<'transfer'>['body'];
}
type Reader<K extends OperationKind> = (request: Requests[K]) => ReadRequest<K>;

/** Reads a request of each kind: every member is read once, so that what is posted is what is signed. */
export const readRequest: { readonly [K in OperationKind]: Reader<K> } = {
  CREATE_RULE_SET: ({ name, nonce = randomNonce(), clauses, maxPassAgeSeconds }) => {
    checkPassAge(maxPassAgeSeconds);
    const copies = copied(clauses, copyOfClause);
    const request = frozen({ name, nonce, clauses: frozen(copied(copies, frozenClause)), maxPassAgeSeconds });
    return {
      kind: 'CREATE_RULE_SET',
      request,
      body: { name, nonce, clauses: copies, maxPassAgeSeconds },
      intentOf: (wallet): CreateRuleSetIntent => ({
        kind: 'CREATE_RULE_SET',
        wallet,
        name,
        nonce,
        clauses: request.clauses.map(clauseMasks),
        maxPassAgeSeconds,
      }),
    };
  },
  BIND_MINT: ({ mint, rule, requireSource }) => {
    const request = frozen({ mint, rule, requireSource });
    return {
      kind: 'BIND_MINT',
      request,
      body: { ...request },
      intentOf: (wallet): BindMintIntent => ({ kind: 'BIND_MINT', wallet, ...request }),
    };
  },
  PROVE: ({ rule, expiresAt, proof }) => {
    if (!ArrayBuffer.isView(proof)) throw notBytes();
    const bytes = Uint8Array.from(proof);
    return {
      kind: 'PROVE',
      request: frozen({ rule, expiresAt, proof: bytes.slice() }),
      body: { rule, expiresAt, proof: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')) },
      intentOf: (wallet): ProveIntent => ({ kind: 'PROVE', wallet, rule, expiresAt, proof: bytes.slice() }),
    };
  },
  ISSUE: ({ mint, destination, amount }) => {
    const request = frozen({ mint, destination, amount });
    return {
      kind: 'ISSUE',
      request,
      body: { ...request },
      intentOf: (wallet): IssueIntent => ({ kind: 'ISSUE', wallet, ...request }),
    };
  },
  TRANSFER: ({ mint, source, destination, amount }) => {
    const request = frozen({ mint, source, destination, amount });
    return {
      kind: 'TRANSFER',
      request,
      body: { ...request },
      intentOf: (wallet): TransferIntent => ({ kind: 'TRANSFER', wallet, ...request }),
    };
  },
};

function notBytes(): ServiceError {
  return invalid('proof', 'the 256 bytes that generateEligibilityProof returns');
}

/** The program refuses others. What is no bigint is left to the request's schema. */
function checkPassAge(seconds: unknown): void {
  if (typeof seconds !== 'bigint') return;
  if (seconds >= PASS_AGE_SECONDS.least && seconds <= PASS_AGE_SECONDS.most) return;
  throw invalid(
    'maxPassAgeSeconds',
    `${PASS_AGE_SECONDS.least} to ${PASS_AGE_SECONDS.most} seconds: one hour to 366 days`,
  );
}

function invalid(field: string, mustBe: string): ServiceError {
  return new ServiceError('INVALID_REQUEST', {
    message: `${field} must be ${mustBe}. Nothing was sent.`,
    context: { field },
  });
}

function randomNonce(): bigint {
  return crypto.getRandomValues(new BigUint64Array(1))[0]!;
}

function frozen<T extends object>(value: T): Readonly<T> {
  return Object.freeze(value);
}

/** A copy of a list. What is none stays as it is: the request's schema refuses it by its name. */
function copied<T, U = T>(list: readonly T[], copy: (entry: T) => U = (entry) => entry as never): U[] {
  return Array.isArray(list) ? list.map(copy) : (list as never);
}

function copyOfClause(clause: ClauseRequest): Clause {
  const { regions, statuses, minAge } = clause ?? {};
  return { regions: copied(regions), statuses: copied(statuses), minAge };
}

function frozenClause(clause: Clause): Readonly<Clause> {
  const { regions, statuses, minAge } = copyOfClause(clause);
  return frozen({
    regions: frozen(regions) as Clause['regions'],
    statuses: frozen(statuses) as Clause['statuses'],
    minAge,
  });
}
