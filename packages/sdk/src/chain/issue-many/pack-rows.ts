/** Packs rows into transactions, by their measured size. */
import { issueInstruction, MAX_TRANSACTION_BYTES, MEMO_PROGRAM, memoText } from '@service/protocol';
import type { Blockhash, Instruction } from '@solana/kit';
import type { Issue, ReadyRow } from '../../preflight/receivers.ts';
import { type ReadMessage, readMessage } from '../../transaction/compare-messages.ts';
import { type Lifetime, transactionOf } from '../sign.ts';
import type { Pack } from './journal.ts';
import type { CheckedRow } from './rows.ts';

/** A transaction to sign. */
export interface PackedRows extends Pack {
  readonly instructions: readonly Instruction[];
}

/** How to pack rows. */
export interface Packing {
  /** The most transactions. */
  readonly most: number;
  /** The most rows of a transaction. */
  readonly mostRows: number;
  /** Bytes that the wallet adds to a transaction. */
  readonly added: number;
  readonly lifetime: Lifetime & { readonly slot: bigint };
}

/** The count of signatures and one signature. */
const SIGNATURE_BYTES = 1 + 64;

/**
 * Returns transactions with as many of the rows as fit, in their order. A memo with a new UUID makes each one unique, and
 * lets the proof of an absence find it if the wallet sent it itself.
 */
export async function packRows(
  issue: Issue,
  rows: readonly ReadyRow<CheckedRow>[],
  packing: Packing,
): Promise<PackedRows[]> {
  const { slot, lastValidBlockHeight } = packing.lifetime;
  const packs: PackedRows[] = [];
  let at = 0;
  while (at < rows.length && packs.length < packing.most) {
    const operationId = crypto.randomUUID();
    let instructions: readonly Instruction[] = [memoOf(operationId)];
    const from = at;
    while (at < rows.length && at - from < packing.mostRows) {
      const more = [...instructions, await instructionOf(issue, rows[at]!)];
      // One row always fits. If the wallet's additions then do not, the wallet says so.
      if (at > from && sizeOf(issue, more, packing) > MAX_TRANSACTION_BYTES) break;
      instructions = more;
      at += 1;
    }
    const indexes = rows.slice(from, at).map(({ row }) => row.index);
    packs.push({ operationId, rows: indexes, slot, lastValidBlockHeight, instructions });
  }
  return packs;
}

/** Accounts of the instruction from the issuer to the destination. Those after them depend on the state of the chain. */
const FIXED_ACCOUNTS = 5;

/** Returns whether the message of a transaction issues exactly these rows. A wallet may have added other instructions. */
export async function issuesRows(
  issue: Issue,
  rows: readonly CheckedRow[],
  message: Uint8Array,
): Promise<boolean> {
  const { program } = issue.chain.deployment;
  const found = readMessage(message);
  if (!found) return false;
  const facts = { rule: program, destinationOwner: program };
  const instructions = await Promise.all(rows.map((row) => instructionOf(issue, { row, ...facts })));
  const lifetime = { blockhash: found.blockhash as Blockhash, lastValidBlockHeight: 0n };
  const expected = readMessage(
    new Uint8Array(transactionOf(issue.issuer, instructions, lifetime).messageBytes),
  );
  const textOf = (read: ReadMessage | null) =>
    read?.instructions
      .filter((each) => each.program === program)
      .map(({ accounts, data }) => [...accounts.slice(0, FIXED_ACCOUNTS), ...data].join())
      .join(';');
  return textOf(found) === textOf(expected);
}

function memoOf(operationId: string): Instruction {
  return { programAddress: MEMO_PROGRAM, data: new TextEncoder().encode(memoText(operationId)) };
}

function instructionOf(
  { chain, issuer, mint }: Issue,
  { row, ...facts }: ReadyRow<CheckedRow>,
): Promise<Instruction> {
  const { destination, amount } = row;
  const intent = { kind: 'ISSUE', wallet: issuer, mint, destination, amount } as const;
  return issueInstruction(chain.deployment.program, intent, facts);
}

function sizeOf(
  { issuer }: Issue,
  instructions: readonly Instruction[],
  { added, lifetime }: Packing,
): number {
  return SIGNATURE_BYTES + transactionOf(issuer, instructions, lifetime).messageBytes.length + added;
}
