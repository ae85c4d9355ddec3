/**
 * What a ledger says. Each line is JSON. The first one names the rows, the mint and the cluster. The others say what
 * happened to transactions:
 *
 * | line | written | means |
 * |---|---|---|
 * | `asked` | before the wallet is asked | a transaction of these rows may exist |
 * | `signed` | before the bytes are sent, or when the wallet sent it | it has this signature |
 * | `ended` | after the chain proved it | it issued its rows, or it failed, or it can no longer land |
 *
 * A row is signed again only after every transaction that contains it has ended without issuing it.
 */
import { type Address, isSignature, type Signature } from '@solana/kit';
import { ServiceError } from '../../errors.ts';
import { quotedLocal } from '../../lib/quoted.ts';
import type { IssueLedger } from './ledger.ts';

/** What a ledger belongs to. */
export interface LedgerOwner {
  readonly program: Address;
  readonly genesisHash: string;
  readonly mint: Address;
  readonly issuer: Address;
  /** How many rows there are. */
  readonly rows: number;
  /** See `digestOf`. */
  readonly digest: string;
}

/** A transaction with some rows. */
export interface Pack {
  /** The UUID in its memo. */
  readonly operationId: string;
  /** The indexes of its rows. */
  readonly rows: readonly number[];
  /** A slot before it was signed. */
  readonly slot: bigint;
  /** Its blockhash has expired above this block height. */
  readonly lastValidBlockHeight: bigint;
  /** Undefined if the ledger does not show that the wallet answered. */
  signature?: Signature;
}

/** How a transaction ended. */
export type PackEnd = 'issued' | 'failed' | 'absent';

/** The state of an issue to many, in memory and in the ledger. */
export interface Journal {
  /** The transactions that have not ended, by operation id. */
  readonly open: ReadonlyMap<string, Pack>;
  /** The signatures that issued rows, by the index of the row. */
  readonly issued: ReadonlyMap<number, Signature>;
  /** Stores that the wallet will be asked to sign. */
  ask(packs: readonly Pack[]): Promise<void>;
  /** Stores what the wallet signed. */
  sign(signed: readonly { readonly operationId: string; readonly signature: Signature }[]): Promise<void>;
  /** Stores how transactions ended. */
  end(ended: readonly { readonly operationId: string; readonly end: PackEnd }[]): Promise<void>;
}

const VERSION = 1;

/**
 * Reads a ledger, and starts it if it is new.
 *
 * @throws ServiceError LEDGER_MISMATCH if it belongs to other rows, another mint, cluster or issuer; LEDGER_FAILED if it
 *   cannot be read or written, or if a line is not valid
 */
export async function openJournal(ledger: IssueLedger, owner: LedgerOwner): Promise<Journal> {
  const lines = await readLines(ledger);
  const open = new Map<string, Pack>();
  const issued = new Map<number, Signature>();
  const known = new Set<string>();

  const replay = (line: Line) => {
    for (const pack of line.asked ?? []) {
      if (known.has(pack.operationId)) throw new Error('a transaction is there twice');
      known.add(pack.operationId);
      open.set(pack.operationId, pack);
    }
    for (const { operationId, signature } of line.signed ?? []) openPack(operationId).signature = signature;
    for (const { operationId, end } of line.ended ?? []) {
      const { rows, signature } = openPack(operationId);
      if (end === 'issued') for (const row of rows) issue(row, signature);
      open.delete(operationId);
    }
  };
  const openPack = (operationId: string): Pack => {
    const pack = open.get(operationId);
    if (!pack) throw new Error('a transaction is not open');
    return pack;
  };
  const issue = (row: number, signature: Signature | undefined) => {
    if (!signature) throw new Error('a transaction without a signature issued rows');
    if (issued.has(row)) throw new Error(`the row ${row} was issued twice`);
    issued.set(row, signature);
  };

  const [first, ...rest] = lines;
  if (first === undefined) await append(ledger, { version: VERSION, ...owner }, 0);
  else checkOwner(first, owner);
  rest.forEach((text, index) => {
    try {
      replay(readLine(text, owner.rows));
    } catch (error) {
      throw broken(index + 1, error);
    }
  });
  let count = Math.max(1, lines.length);

  const store = async (line: Line) => {
    await append(ledger, line, count);
    count += 1;
    try {
      replay(line);
    } catch (error) {
      throw broken(count - 1, error);
    }
  };
  return {
    open,
    issued,
    ask: (asked) => store({ asked }),
    sign: (signed) => store({ signed }),
    end: (ended) => store({ ended }),
  };
}

/** A line after the first one. */
interface Line {
  readonly asked?: readonly Pack[];
  readonly signed?: readonly { readonly operationId: string; readonly signature: Signature }[];
  readonly ended?: readonly { readonly operationId: string; readonly end: PackEnd }[];
}

async function readLines(ledger: IssueLedger): Promise<readonly string[]> {
  try {
    const lines: unknown = await ledger.read();
    if (Array.isArray(lines) && lines.every((line) => typeof line === 'string')) return lines;
  } catch (error) {
    throw failed(
      `could not be read: ${reasonOf(error)}`,
      'Make sure that it can be read, then call issueMany again.',
      error,
    );
  }
  throw failed('does not return a list of lines', 'Correct its function read.');
}

async function append(ledger: IssueLedger, line: object, number: number): Promise<void> {
  const text = JSON.stringify(line, (_key, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
  try {
    await ledger.append(text, number);
  } catch (error) {
    throw failed(
      `did not store line ${number}: ${reasonOf(error)}`,
      'What this line is about was not sent. Make sure that no other process uses the ledger and that there is room for it.',
      error,
    );
  }
}

/** Checks the first line. Throws ServiceError LEDGER_MISMATCH, LEDGER_FAILED. */
function checkOwner(text: string, owner: LedgerOwner): void {
  let found: Record<string, unknown>;
  try {
    found = Object(JSON.parse(text));
  } catch (error) {
    throw broken(0, error);
  }
  if (found.version !== VERSION) throw broken(0, new Error('it is not of a version that this SDK knows'));
  const fields = (Object.keys(owner) as (keyof LedgerOwner)[]).filter(
    (field) => found[field] !== owner[field],
  );
  if (fields.length === 0) return;
  throw new ServiceError('LEDGER_MISMATCH', {
    message: `The ledger belongs to another issue: ${fields.join(', ')} differ. Pass the rows, mint, wallet and deployment of its first call, or a new ledger. Nothing was signed.`,
    context: { fields },
  });
}

/** Reads a line. Throws an Error unless each field has its type. */
function readLine(text: string, rows: number): Line {
  const { asked, signed, ended } = Object(JSON.parse(text)) as Record<string, unknown>;
  const isEnd = (value: unknown) => value === 'issued' || value === 'failed' || value === 'absent';
  const line = {
    ...(asked === undefined ? {} : { asked: listOf(asked, (pack) => readPack(pack, rows)) }),
    ...(signed === undefined
      ? {}
      : {
          signed: listOf(signed, ({ operationId, signature }) => ({
            operationId: checked(operationId, isText) as string,
            signature: checked(
              signature,
              (value) => isText(value) && isSignature(value as string),
            ) as Signature,
          })),
        }),
    ...(ended === undefined
      ? {}
      : {
          ended: listOf(ended, ({ operationId, end }) => ({
            operationId: checked(operationId, isText) as string,
            end: checked(end, isEnd) as PackEnd,
          })),
        }),
  };
  if (Object.keys(line).length !== 1) throw new Error('it does not have one known field');
  return line;
}

function readPack(pack: Record<string, unknown>, rows: number): Pack {
  const isRow = (value: unknown) =>
    Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < rows;
  const isNumber = (value: unknown) => isText(value) && /^\d{1,16}$/.test(value as string);
  return {
    operationId: checked(pack.operationId, isText) as string,
    rows: checked(
      pack.rows,
      (value) => Array.isArray(value) && value.length > 0 && value.every(isRow),
    ) as number[],
    slot: BigInt(checked(pack.slot, isNumber) as string),
    lastValidBlockHeight: BigInt(checked(pack.lastValidBlockHeight, isNumber) as string),
  };
}

function listOf<T>(value: unknown, read: (entry: Record<string, unknown>) => T): T[] {
  return (checked(value, Array.isArray) as unknown[]).map((entry) => read(Object(entry)));
}

function checked(value: unknown, isValid: (value: unknown) => boolean): unknown {
  if (!isValid(value)) throw new Error('a field has another type');
  return value;
}

const isText = (value: unknown) => typeof value === 'string';

function broken(number: number, cause: unknown): ServiceError {
  return failed(
    `has a line ${number} that is not valid: ${reasonOf(cause)}`,
    'Restore only a copy that contains every line: an older one issues rows again. Without it, look on chain for what was issued before you issue again.',
    cause,
  );
}

function failed(happened: string, remedy: string, cause?: unknown): ServiceError {
  return new ServiceError('LEDGER_FAILED', { message: `The ledger ${happened}. ${remedy}`, cause });
}

function reasonOf(error: unknown): string {
  return (error instanceof Error && quotedLocal(error.message).replace(/[.\s]+$/, '')) || 'no reason given';
}
