/** Rows of the reference server, on PostgreSQL. */
import type { Processes } from '../measured-process.ts';
import type { Figure, Row } from '../row.ts';

/** Operations that a service accepts, ten at a time, without the signatures of the wallets. */
export const prepareSubmit: Row = {
  id: 'prepare-submit',
  what: 'prepare + submit, 10 at a time, PostgreSQL',
  against: 'the same SQL replayed on 10 connections',
  unit: 'ms',
  goal: 0.5,
  better: 'higher',
  rounds: 7,
  whyMissed:
    'An operation has 14 statements, 3 calls of the RPC, a signature to verify and a message to build. ' +
    'JavaScript does all of it on one thread. Most of the time is spent on sockets, in the PostgreSQL driver, ' +
    'in kit and in kysely. Fewer statements would make both sides faster.',
  start: (processes) => onPostgres(processes, 'prepare-submit.ts', { warmUp: 1 }),
};

/** Signed operations from submission to FINALIZED. */
export const settledPerSecond: Row = {
  id: 'settled-per-second',
  what: 'settled operations per second, from submission',
  unit: 'ms',
  against: "localnet's own rate of equal transactions",
  goal: 0.5,
  better: 'higher',
  rounds: 7,
  // V8 optimizes the code of both sides in these rounds.
  start: (processes) => onPostgres(processes, 'settle.ts', { warmUp: 6 }),
};

/** The first reading of many passes, in slices. */
export const indexPasses: Row = {
  id: 'index-100k',
  what: 'indexing 100,000 passes',
  against: 'one getProgramAccounts of the same',
  unit: 'ms',
  goal: 2,
  better: 'lower',
  rounds: 3,
  start: (processes) => onPostgres(processes, 'index-passes.ts', { warmUp: 0 }),
};

/** What a large database costs. */
export const manyRows: Row = {
  id: 'rows-1m',
  what: 'an operation at 1,000,000 rows',
  against: 'at 1,000 rows',
  unit: 'ms',
  goal: 1.2,
  better: 'lower',
  rounds: 7,
  start: (processes) => onPostgres(processes, 'many-rows.ts', { warmUp: 1 }),
};

/** Starts a process that measures both sides on its own PostgreSQL. The first rounds of each are not measured. */
async function onPostgres(processes: Processes, file: string, { warmUp }: { warmUp: number }) {
  const process = processes.start(file, { env: await processes.startPostgres().env });
  const sides = { ours: () => process.ask<Figure>('ours'), peer: () => process.ask<Figure>('peer') };
  for (let round = 0; round < warmUp; round++) {
    await sides.ours();
    await sides.peer();
  }
  return sides;
}
