/** Describes how a wallet changed a transaction while signing it, in words and in kinds. */
import { COMPUTE_BUDGET_PROGRAM, LIGHTHOUSE_PROGRAM, readBudgetData } from '@service/protocol';
import type { WalletChange } from '../error-contexts.ts';
import { compareMessages, type ReadInstruction, readMessage, sameBytes } from './compare-messages.ts';

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
