/** Says how a wallet changed a transaction while signing it, and what to do. */
import { COMPUTE_BUDGET_PROGRAM, LIGHTHOUSE_PROGRAM, readBudgetData } from '@service/protocol';
import type { Signature } from '@solana/kit';
import type { WalletChange } from '../error-contexts.ts';
import { ServiceError } from '../errors.ts';
import { compareMessages, type ReadInstruction, readMessage, sameBytes } from './compare-messages.ts';
import { nonceOf } from './durable-nonce.ts';

/** Changes that a caller can allow. */
const ALLOWABLE: readonly WalletChange['kind'][] = ['GUARD', 'PRIORITY_FEE', 'COMPUTE_LIMIT'];

/**
 * Returns the error for a wallet that changed a transaction. `signed` is the message that it returned, or null if it
 * returned no transaction with that one signature. `taken` is a sentence that says who accepts only the given transaction.
 * If the caller allows additions, `reason` says why these are not accepted.
 * `lookUp` is the signature of what the wallet signed, if only the caller can look for it.
 */
export function changedTransactionError(
  given: Uint8Array,
  {
    signed,
    taken,
    reason,
    lookUp,
  }: {
    readonly signed: Uint8Array | null;
    readonly taken: string;
    readonly reason: string | undefined;
    readonly lookUp: Signature | undefined;
  },
): ServiceError {
  const changes: readonly WalletChange[] = signed
    ? walletChanges(given, signed)
    : [{ kind: 'OTHER', what: 'returned no transaction with the wallet’s one signature' }];
  const why = reason ? ` This change is not accepted, because the wallet ${reason}.` : '';
  const isAllowable = changes.every(({ kind }) => ALLOWABLE.includes(kind));
  const remedy = isAllowable ? allowing(changes, reason !== undefined) : 'Use another wallet.';
  return new ServiceError('WALLET_CHANGED_TRANSACTION', {
    message: `The wallet changed the transaction: it ${inWords(changes)}.${why} ${taken}. ${remedy} This client sent nothing. The wallet can still send what it signed${beforeRepeat(signed, lookUp)}`,
    context: { changes, differences: signed ? compareMessages(given, signed) : [] },
  });
}

/** Returns what to do before a repetition, as the end of a sentence on what the wallet signed. */
function beforeRepeat(signed: Uint8Array | null, lookUp: Signature | undefined): string {
  const look = lookUp ? `, and look up ${lookUp} on chain,` : '';
  const nonce = signed && nonceOf(signed);
  return nonce
    ? `, and it never expires: it has the durable nonce of ${nonce.account}. Advance that nonce${look} before you repeat the call.`
    : `, so wait about two minutes${look} before you repeat the call.`;
}

/** Returns a sentence that says how to accept the additions. `isLimit`: the caller allows some, but not these. */
function allowing(changes: readonly WalletChange[], isLimit: boolean): string {
  const has = (wanted: WalletChange['kind']) => changes.some(({ kind }) => kind === wanted);
  const options = [
    ...(has('GUARD') ? [isLimit ? 'guards' : 'guards: true'] : []),
    // A limit alone costs nothing.
    ...(has('PRIORITY_FEE') || !has('GUARD') ? ['maxPriorityFeeLamports'] : []),
  ];
  if (isLimit) return `To accept this change, adjust ${options.join(' or ')}. Otherwise, use another wallet.`;
  return `To accept such a wallet, pass ${options.join(' and ')}.`;
}

/** Programs of guard instructions, by address. */
const GUARDS: Readonly<Record<string, string>> = {
  [LIGHTHOUSE_PROGRAM]: 'Lighthouse',
};

/** Returns what a wallet changed between the given message and the signed one. Empty only if they are equal. */
export function walletChanges(given: Uint8Array, signed: Uint8Array): readonly WalletChange[] {
  if (sameBytes(given, signed)) return [];
  const before = readMessage(given);
  const after = readMessage(signed);
  if (!before || !after) return [{ kind: 'OTHER', what: 'returned bytes other than a valid message' }];
  const changes: WalletChange[] = [];
  if (before.blockhash !== after.blockhash) {
    const what = `replaced the blockhash ${before.blockhash} with ${after.blockhash}`;
    changes.push({ kind: 'BLOCKHASH', what });
  }
  const { added, pairs } = pairUp(before.instructions, after.instructions);
  changes.push(...added.map(additionOf));
  const parts = pairs.flatMap(([one, other]) => changedParts(before.instructions.indexOf(one), one, other));
  if (before.feePayer !== after.feePayer) parts.unshift('fee payer');
  if (before.version !== after.version) parts.unshift('version');
  // The added instructions explain the rest, because their accounts are in the message too.
  if (parts.length === 0 && changes.length > 0) return changes;
  if (parts.length === 0) parts.push(...compareMessages(given, signed).map(({ part }) => part));
  return [{ kind: 'OTHER', what: `changed the transaction itself: ${parts.join('; ')}` }, ...changes];
}

/** A given instruction and the returned one in its place, if there is one. */
type Pair = readonly [ReadInstruction, ReadInstruction | undefined];

/**
 * Pairs the given instructions with the returned ones. Guards and the compute budget are additions unless they are equal.
 * If as many of the others came back, each is compared with the one at its place: then none was added.
 */
function pairUp(
  given: readonly ReadInstruction[],
  returned: readonly ReadInstruction[],
): { readonly added: readonly ReadInstruction[]; readonly pairs: readonly Pair[] } {
  const left = returned.filter((other) => !given.some((one) => isAddition(one) && isSame(one, other)));
  const additions = left.filter(isAddition);
  const own = given.filter((one) => !isAddition(one));
  const others = left.filter((one) => !isAddition(one));
  let next = 0;
  const extra = others.filter((other) => {
    const isNext = own[next] !== undefined && isSame(own[next]!, other);
    if (isNext) next += 1;
    return !isNext;
  });
  const added = others.length > own.length ? extra.slice(0, others.length - own.length) : [];
  const places = others.filter((other) => !added.includes(other));
  return {
    added: left.filter((other) => additions.includes(other) || added.includes(other)),
    pairs: own.map((one, index) => [one, places[index]]),
  };
}

/** Returns the changes as the middle of a sentence. A change that occurs several times is named once. */
export function inWords(changes: readonly WalletChange[]): string {
  const counts = new Map<string, number>();
  for (const { what } of changes) counts.set(what, (counts.get(what) ?? 0) + 1);
  const parts = [...counts].map(([what, count]) => (count === 1 ? what : `${what}, ${count} times`));
  return parts.join(', and ') || 'returned something other than the transaction';
}

/** Returns whether an instruction is a guard or sets the compute budget. */
function isAddition({ program }: ReadInstruction): boolean {
  return program === COMPUTE_BUDGET_PROGRAM || Object.hasOwn(GUARDS, program);
}

function isSame(one: ReadInstruction, other: ReadInstruction): boolean {
  return changedParts(0, one, other).length === 0;
}

function changedParts(index: number, one: ReadInstruction, other: ReadInstruction | undefined): string[] {
  if (!other) return [`instruction ${index} is missing`];
  // Compare without roles: an account that an added instruction writes to becomes writable in all of them.
  const accounts = ({ accounts: all }: ReadInstruction) => all.map(keyOf).join();
  return [
    ...(one.program === other.program ? [] : ['program']),
    ...(accounts(one) === accounts(other) ? [] : ['accounts']),
    ...(sameBytes(one.data, other.data) ? [] : ['data']),
  ].map((part) => `instruction ${index}, ${part}`);
}

function keyOf(account: string): string | undefined {
  return account.split(' ')[0];
}

function additionOf({ program, data }: ReadInstruction): WalletChange {
  if (program === COMPUTE_BUDGET_PROGRAM) return budgetChange(program, data);
  const name = GUARDS[program];
  if (name) return { kind: 'GUARD', program, what: `added a guard instruction of ${name} (${program})` };
  return { kind: 'INSTRUCTION', program, what: `added an instruction of the program ${program}` };
}

function budgetChange(program: string, data: Uint8Array): WalletChange {
  const { price, limit } = readBudgetData(data) ?? {};
  if (price !== undefined) {
    return {
      kind: 'PRIORITY_FEE',
      program,
      what: `added a priority fee of ${price} micro-lamports for each compute unit (Compute Budget)`,
    };
  }
  if (limit !== undefined) {
    return {
      kind: 'COMPUTE_LIMIT',
      program,
      what: `added a limit of ${limit} compute units (Compute Budget)`,
    };
  }
  return { kind: 'COMPUTE_LIMIT', program, what: 'added a Compute Budget instruction' };
}
