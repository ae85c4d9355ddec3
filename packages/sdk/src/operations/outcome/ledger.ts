/** The states of one client's operations, and the allowed changes between them. Makes no network calls. */
import type { Operation, OperationIn, OperationKind } from '@service/contract';
import type { Address, Signature } from '@solana/kit';
import { ServiceError } from '../../errors.ts';
import { BoundedMap } from '../../lib/bounded-map.ts';
import type { DurableNonce } from '../../transaction/durable-nonce.ts';

/**
 * How many operations that are over, how many idempotency keys and how many open operations a client remembers. The
 * oldest is dropped. A wallet has one operation at a time, and each takes about 13 seconds to become final. So these are
 * more than a day of one wallet. A draft that was dropped cannot be signed: see {@link Ledger.ask}.
 */
export const MOST_REMEMBERED = 10_000;

/** A transaction whose signed bytes have left this client. */
export interface SignedOperation {
  readonly operationId: string;
  readonly kind: OperationKind;
  readonly wallet: Address;
  /** Base58. */
  readonly signature: Signature;
  /** A slot before the signature existed. */
  readonly signedAtSlot: bigint;
  /** A height after which the transaction's blockhash has certainly expired. */
  readonly lastValidBlockHeight: bigint;
}

/** An operation whose signed bytes the service accepted (SPEC.md section 3). */
export type SubmittedOperation = OperationIn<'QUEUED' | 'SUBMITTED' | 'UNRESOLVED' | 'FINALIZED' | 'FAILED'>;

/** Returns whether a record is about the transaction that this client signed. */
export function isSameOperation(
  operation: Operation,
  signed: SignedOperation,
): operation is SubmittedOperation {
  return (
    operation.operationId === signed.operationId &&
    operation.kind === signed.kind &&
    operation.wallet === signed.wallet &&
    isUnder(signed.signature, operation)
  );
}

/** Returns whether a record is about the transaction with a signature. */
export function isUnder(signature: Signature, operation: Operation): boolean {
  return 'signature' in operation && operation.signature === signature;
}

/** A signed transaction that was not sent. */
export interface HeldTransaction {
  readonly operationId: string;
  readonly wallet: Address;
  /** Base58, of the fee payer; undefined if the wallet returned none, or an old one. */
  signature: Signature | undefined;
  /** A slot before the wallet was asked. */
  readonly signedAtSlot: bigint;
  /** The durable nonce of the transaction, if it has one: then it does not expire. */
  readonly nonce: DurableNonce | undefined;
  /** At a later height, every blockhash that the wallet could have used has expired. Undefined until the RPC returns one. */
  lastValidBlockHeight?: bigint;
}

/** An operation that can still change. */
export type OpenOperation =
  | {
      /** Prepared, and no wallet is asked to sign it. */
      readonly state: 'DRAFT';
      /** Whether nobody else can have it signed, because this client made its idempotency key. */
      readonly isPrivate: boolean;
      /** When this client stops signing it, in milliseconds of its {@link Clock.elapsed}. */
      readonly deadline: number;
    }
  | {
      /** The wallet is asked to sign it. */
      readonly state: 'ASKING';
      readonly isPrivate: boolean;
      readonly deadline: number;
      readonly wallet: Address;
    }
  | {
      /** The call ended while the wallet's prompt was open, so the wallet can still sign it. */
      readonly state: 'UNANSWERED';
      readonly isPrivate: boolean;
      readonly deadline: number;
    }
  | {
      /** The wallet returned signed bytes that this client has not sent. The wallet and the page can send them. */
      readonly state: 'HELD';
    }
  | {
      /** Its signed bytes may have left this client. */
      readonly state: 'SENT';
      readonly signed: SignedOperation;
    };

/** An operation that is over. Its id is remembered, so that this client never signs it again. */
export type PastOperation =
  | {
      /** The chain has proven its end. */
      readonly state: 'ENDED';
      /** Undefined if another client signed it. */
      readonly signed: SignedOperation | undefined;
    }
  | {
      /** A call reported that it can no longer land, or was never signed, and that the caller can prepare again. */
      readonly state: 'EXPIRED';
      /** Whether nobody else could have had it signed. Otherwise only a search said so, and a later one may find it. */
      readonly isPrivate: boolean;
    };

/** The state of an operation that a client remembers. */
export type LedgerState = (OpenOperation | PastOperation)['state'];

/**
 * The ledger of one client. Every method that changes a state throws a plain Error where the change is not allowed:
 * callers check first, and throw what a person should read.
 *
 * | from | draft | ask | withdraw | leave | hold | send | end | expire |
 * |---|---|---|---|---|---|---|---|---|
 * | unknown | DRAFT | - | - | - | - | - | ENDED | EXPIRED |
 * | DRAFT | DRAFT | ASKING | - | - | - | - | ENDED | EXPIRED |
 * | ASKING | ASKING | - | DRAFT | UNANSWERED | HELD | SENT | ENDED | - |
 * | UNANSWERED | UNANSWERED | - | DRAFT | - | HELD | - | ENDED | EXPIRED |
 * | HELD | HELD | - | - | - | - | - | ENDED | EXPIRED |
 * | SENT | - | - | - | - | - | - | ENDED | - |
 * | ENDED | - | - | ENDED | ENDED | ENDED | - | ENDED | - |
 * | EXPIRED | EXPIRED | - | EXPIRED | EXPIRED | EXPIRED | - | ENDED | EXPIRED |
 */
export class Ledger {
  readonly #open = new Map<string, OpenOperation>();
  /** What wallets returned signed and this client did not send. It can land after the end of its operation too. */
  readonly #held = new Map<string, HeldTransaction>();
  readonly #past = new BoundedMap<string, PastOperation>(MOST_REMEMBERED);
  readonly #keys = new BoundedMap<string, string>(MOST_REMEMBERED);
  readonly #onOver: (operationId: string) => void;

  /** Creates an empty ledger. Calls `onOver` with the id of each operation that ends or expires. */
  constructor(onOver: (operationId: string) => void = () => undefined) {
    this.#onOver = onOver;
  }

  /** Returns the number of operations that can still change. */
  get openCount(): number {
    return this.#open.size;
  }

  /** Returns the state of an operation, or undefined if the ledger does not know it. */
  stateOf(operationId: string): LedgerState | undefined {
    return (this.#open.get(operationId) ?? this.#past.get(operationId))?.state;
  }

  /** Returns whether an operation has ended or expired. */
  isOver(operationId: string): boolean {
    return this.#past.get(operationId) !== undefined;
  }

  /** Returns whether this client or another one signed and sent an operation. Its memo is then used. */
  wasSent(operationId: string): boolean {
    return ['SENT', 'ENDED'].includes(this.stateOf(operationId) ?? '');
  }

  /** Returns whether certainly nobody has signed an operation, and no wallet is asked to sign it. */
  isUnsigned(operationId: string): boolean {
    const operation = this.#open.get(operationId) ?? this.#past.get(operationId);
    return (operation?.state === 'DRAFT' || operation?.state === 'EXPIRED') && operation.isPrivate;
  }

  /**
   * Returns when this client stops signing a draft, in milliseconds of its clock's `elapsed`. Returns 0 for an operation that
   * is not a draft.
   */
  deadlineOf(operationId: string): number {
    const operation = this.#open.get(operationId);
    return operation && 'deadline' in operation ? operation.deadline : 0;
  }

  /** Returns what this client signed and sent of an operation, also after its end. */
  signedOperation(operationId: string): SignedOperation | undefined {
    const operation = this.#open.get(operationId) ?? this.#past.get(operationId);
    return operation && 'signed' in operation ? operation.signed : undefined;
  }

  /** Returns the operations of a wallet that were sent and whose end is not proven. */
  inFlight(wallet: Address): readonly SignedOperation[] {
    return [...this.#open.values()].flatMap((operation) =>
      operation.state === 'SENT' && operation.signed.wallet === wallet ? [operation.signed] : [],
    );
  }

  /** Returns the transaction of an operation that a wallet signed, that was not sent, and that may still land, or undefined. */
  heldTransaction(operationId: string): HeldTransaction | undefined {
    return this.#held.get(operationId);
  }

  /** Returns the transactions that a wallet signed, that were not sent, and that may still land. */
  held(wallet: Address): readonly HeldTransaction[] {
    return [...this.#held.values()].filter((held) => held.wallet === wallet);
  }

  /** Returns whether a wallet is asked to sign an operation. */
  isAsked(wallet: Address): boolean {
    return [...this.#open.values()].some(
      (operation) => operation.state === 'ASKING' && operation.wallet === wallet,
    );
  }

  /** Returns the operation of an idempotency key of the caller: the first one that the service returned for the key. */
  operationUnder(key: { readonly wallet: Address; readonly key: string }, operationId: string): string {
    const name = `${key.wallet} ${key.key}`;
    const first = this.#keys.get(name) ?? operationId;
    this.#keys.set(name, first);
    return first;
  }

  /** Returns the operation of an idempotency key of the caller, or undefined. */
  operationOf({ wallet, key }: { readonly wallet: Address; readonly key: string }): string | undefined {
    return this.#keys.get(`${wallet} ${key}`);
  }

  /**
   * Notes a draft that the service prepared. A draft that was once shared stays shared, and a draft that the service
   * returns again does not live longer.
   */
  draft(operationId: string, { isPrivate, deadline }: { isPrivate: boolean; deadline: number }): void {
    const before = this.#open.get(operationId);
    if (this.wasSent(operationId)) throw this.#notAllowed(operationId, 'draft');
    if ((before && before.state !== 'DRAFT') || this.isOver(operationId)) return;
    const first = before?.state === 'DRAFT' ? before : { isPrivate, deadline };
    this.#open.set(operationId, { ...first, state: 'DRAFT', isPrivate: isPrivate && first.isPrivate });
    if (this.#open.size > MOST_REMEMBERED) this.#dropOldestDraft();
  }

  /** Notes that a wallet is asked to sign a draft. A wallet is asked for one operation at a time. */
  ask(operationId: string, wallet: Address): void {
    const before = this.#open.get(operationId);
    if (before?.state !== 'DRAFT' || this.isAsked(wallet)) throw this.#notAllowed(operationId, 'ask');
    this.#open.set(operationId, { ...before, state: 'ASKING', wallet });
  }

  /** Notes that the wallet certainly did not sign. An operation that has ended or expired in the meantime keeps its state. */
  withdraw(operationId: string): void {
    this.#afterAsking(operationId, 'withdraw', ({ isPrivate, deadline }) => ({
      state: 'DRAFT',
      isPrivate,
      deadline,
    }));
  }

  /** Notes that the call ends while the wallet's prompt is open. */
  leave(operationId: string): void {
    this.#afterAsking(operationId, 'leave', ({ isPrivate, deadline }) => ({
      state: 'UNANSWERED',
      isPrivate,
      deadline,
    }));
  }

  /**
   * Notes that the wallet returned signed bytes that are not sent. No wallet is asked to sign the operation again. The end
   * of the operation does not change that they can land: see {@link Ledger.release}.
   */
  hold(held: HeldTransaction): void {
    this.#afterAsking(held.operationId, 'hold', () => ({ state: 'HELD' }));
    this.#held.set(held.operationId, held);
  }

  /** Notes that what was held of an operation has landed, or can no longer land. */
  release(operationId: string): void {
    this.#held.delete(operationId);
  }

  /** Notes that the signed bytes of an operation leave now. */
  send(signed: SignedOperation): void {
    const { operationId } = signed;
    if (this.stateOf(operationId) !== 'ASKING') throw this.#notAllowed(operationId, 'send');
    this.#open.set(operationId, { state: 'SENT', signed });
  }

  /** Notes that the end of an operation is proven, or that it is on the chain. */
  end(operationId: string): void {
    this.#close(operationId, { state: 'ENDED', signed: this.signedOperation(operationId) });
  }

  /** Notes that a call asks the caller to prepare again. This draft must not be signed any more. */
  expire(operationId: string): void {
    const state = this.stateOf(operationId);
    if (state === 'ASKING' || this.wasSent(operationId)) throw this.#notAllowed(operationId, 'expire');
    this.#close(operationId, { state: 'EXPIRED', isPrivate: this.isUnsigned(operationId) });
  }

  #afterAsking(
    operationId: string,
    change: 'withdraw' | 'leave' | 'hold',
    next: (asked: Extract<OpenOperation, { state: 'ASKING' | 'UNANSWERED' }>) => OpenOperation,
  ): void {
    if (this.isOver(operationId)) return;
    const before = this.#open.get(operationId);
    const isAllowed = before?.state === 'ASKING' || (before?.state === 'UNANSWERED' && change !== 'leave');
    if (!isAllowed) throw this.#notAllowed(operationId, change);
    this.#open.set(operationId, next(before));
  }

  #close(operationId: string, past: PastOperation): void {
    this.#open.delete(operationId);
    this.#past.set(operationId, past);
    this.#onOver(operationId);
  }

  #dropOldestDraft(): void {
    for (const [operationId, { state }] of this.#open) {
      if (state !== 'DRAFT') continue;
      this.#open.delete(operationId);
      return;
    }
  }

  #notAllowed(operationId: string, change: string): Error {
    return new Error(`${change} is not allowed of ${operationId}, which is ${this.stateOf(operationId)}`);
  }
}

/**
 * Checks that an operation was not signed yet. A second transaction with its memo would hide the outcome of the first.
 *
 * @throws ServiceError OPERATION_ALREADY_SIGNED
 */
export function checkNotSent(ledger: Ledger, operationId: string): void {
  if (ledger.wasSent(operationId)) throw alreadySigned(operationId);
}

/** Returns the error of an operation that was already signed. */
export function alreadySigned(operationId: string): ServiceError {
  return new ServiceError('OPERATION_ALREADY_SIGNED', {
    message: `The operation ${operationId} was already signed and sent. Nothing more was sent. Wait for it with client.waitForOperation('${operationId}').`,
    context: { operationId },
  });
}
