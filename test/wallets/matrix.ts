/** Runs each kind of write with each simulated wallet, with the defaults and with additions allowed, and compares. */
import { LIGHTHOUSE_PROGRAM } from '@service/protocol';
import { SIMULATED_WALLETS, type SimulatedWalletId, type SimulatedWalletOptions } from '@service/testing';
import { generateKeyPairSigner, type Signature } from '@solana/kit';
import { expect } from 'vitest';
import { EXPECTED, RENT_LAMPORTS } from './expected.ts';
import {
  KINDS,
  MOST_PRIORITY_LAMPORTS,
  type Mode,
  type Observed,
  play,
  visit,
  type WriteKind,
} from './play.ts';
import type { Person, Stage } from './stage.ts';

/** One write with one wallet. */
export interface Cell {
  readonly wallet: SimulatedWalletId;
  readonly mode: Mode;
  readonly kind: WriteKind;
}

/** How many people the matrix needs: as many wallets play at once. */
export const PEOPLE = 4;
/** How many passes one of them opens, and mints one binds. */
export const SPARES = 3;

const MODES = ['defaults', 'allowed'] as const;

/** The wallets whose writes land, by the person who has them. */
const LANDING: readonly (readonly SimulatedWalletId[])[] = [
  ['phantom-2026-01', 'phantom-2026-08', 'solflare'],
  ['backpack', 'signs-twice'],
  ['returns-changed-sends-original', 'failing-guard'],
  ['returns-original-sends-changed', 'tiny-limit'],
];
const REFUSED = SIMULATED_WALLETS.map(({ id }) => id).filter((id) => !LANDING.flat().includes(id));

/** The cells in the order of the tables. */
export const CELLS: readonly Cell[] = SIMULATED_WALLETS.flatMap(({ id: wallet }) =>
  MODES.flatMap((mode) => KINDS.map((kind) => ({ wallet, mode, kind }))),
);

/** What has happened. */
export interface Matrix {
  /** Wallets that were left out. */
  readonly skipped: ReadonlySet<SimulatedWalletId>;
  /** Signatures that must never land. */
  readonly absent: readonly Signature[];
  /** Returns why a cell is not as expected, or null. */
  problemOf(cell: Cell): Error | null;
}

/** Runs all cells. Without the program of guards, leaves out the wallets that need it. */
export async function playMatrix(
  stage: Stage,
  report: (line: string) => void = () => undefined,
): Promise<Matrix> {
  const config = { encoding: 'base64', commitment: 'finalized' } as const;
  const { value: program } = await stage.rpc.getAccountInfo(LIGHTHOUSE_PROGRAM, config).send();
  const skipped = new Set(
    program?.executable
      ? []
      : SIMULATED_WALLETS.map(({ id }) => id).filter((id) => EXPECTED[id].needsGuardProgram),
  );
  const results = new Map<string, Observed | Error>();
  const accomplice = (await generateKeyPairSigner()).address;
  await Promise.all(
    stage.people.map(async (person, index) => {
      // The rejected writes come first, because they leave the proof and the mint for the next one.
      const own = [...REFUSED.filter((_, at) => at % PEOPLE === index), ...LANDING[index]!];
      for (const wallet of own.filter((id) => !skipped.has(id))) {
        await playWallet(stage, person, { wallet, accomplice, results });
        const wrong = CELLS.filter((cell) => cell.wallet === wallet && problemOf(cell, results) !== null);
        report(`${wallet}: ${wrong.length === 0 ? 'as expected' : wrong.map(nameOf).join('; ')}`);
      }
    }),
  );
  return {
    skipped,
    absent: [...results.values()].flatMap((result) => ('absent' in result ? result.absent : [])),
    problemOf: (cell) => problemOf(cell, results),
  };
}

async function playWallet(
  stage: Stage,
  person: Person,
  options: Pick<SimulatedWalletOptions, 'accomplice'> & {
    readonly wallet: SimulatedWalletId;
    readonly results: Map<string, Observed | Error>;
  },
): Promise<void> {
  const { wallet, accomplice, results } = options;
  for (const mode of MODES) {
    const visited = await visit(stage, person, { wallet, mode, accomplice });
    for (const kind of KINDS) {
      const result = await play(stage, visited, kind).catch((error: unknown) => error as Error);
      results.set(nameOf({ wallet, mode, kind }), result);
    }
  }
}

/** Returns the name of a cell in tests. */
export function nameOf({ wallet, mode, kind }: Cell): string {
  return `${wallet}, ${mode}: ${kind}`;
}

function problemOf(cell: Cell, results: ReadonlyMap<string, Observed | Error>): Error | null {
  const result = results.get(nameOf(cell));
  if (!result || result instanceof Error) return result ?? new Error('this cell was not run');
  try {
    compare(cell, result);
    return null;
  } catch (error) {
    return error as Error;
  }
}

function compare({ wallet, mode, kind }: Cell, observed: Observed): void {
  const { paysPriority, ...expected } = EXPECTED[wallet][mode](kind);
  expect(observed).toMatchObject(expected);
  expect(observed.priority > 0n).toBe(paysPriority);
  expect(observed.priority).toBeLessThanOrEqual(MOST_PRIORITY_LAMPORTS);
  // A write that can be done only once pays its rent once. Nothing else is paid.
  const rent = observed.landed > observed.failed ? RENT_LAMPORTS[kind] : 0n;
  expect(observed.lost).toBe(5_000n * BigInt(expected.landed) + observed.priority + rent);
}

/** Checks again that no rejected transaction is on the chain. */
export async function checkAbsent({ rpc }: Stage, { absent }: Matrix): Promise<void> {
  expect(absent.length).toBeGreaterThan(20);
  for (let start = 0; start < absent.length; start += 200) {
    const part = absent.slice(start, start + 200);
    const { value } = await rpc.getSignatureStatuses(part, { searchTransactionHistory: true }).send();
    expect(value.filter((status) => status !== null)).toEqual([]);
  }
}
