/** The clock of the database, which decides what several processes share: leases, drafts, challenges and sessions. */
import { type QueryExecutorProvider, sql } from 'kysely';

/** A clock that all processes on one database share. */
export interface DatabaseClock {
  /** Returns the time in Unix milliseconds. */
  now(): number;
  /** Compares the clock with the database's again. Throws the errors of the database. */
  measure(): Promise<void>;
  /** Returns by how many milliseconds the clock of this machine is ahead of the database's; negative if it is behind. */
  skewMs(): number;
}

/** The clocks of this machine, in milliseconds. */
export interface MachineClocks {
  /** Unix time. Somebody can change it. */
  wall(): number;
  /** Time since any moment. Nobody can change it. */
  steady(): number;
}

const MACHINE: MachineClocks = { wall: () => Date.now(), steady: () => performance.now() };

/** The clock of a database that runs in this process: the machine's. */
export const SYSTEM_CLOCK: DatabaseClock = {
  now: () => Date.now(),
  measure: async () => undefined,
  skewMs: () => 0,
};

/** Milliseconds that the answer to a measurement may take. The error is at most half of it. */
const SLOWEST_MS = 1_000;

/** Creates the clock of a PostgreSQL. Call `measure` before the first `now`, and then every few seconds. */
export function createDatabaseClock(
  db: QueryExecutorProvider,
  machine: MachineClocks = MACHINE,
): DatabaseClock {
  /** Database time minus steady time; undefined before the first measurement. */
  let offset: number | undefined;
  const now = () => {
    if (offset === undefined) throw new Error('The clock of the database was not measured.');
    return Math.floor(machine.steady() + offset);
  };
  return {
    now,
    skewMs: () => machine.wall() - now(),
    async measure() {
      const before = machine.steady();
      const { rows } = await sql<{ ms: string }>`
        select floor(extract(epoch from clock_timestamp()) * 1000)::text as ms`.execute(db);
      const after = machine.steady();
      // Keep the last measurement if this one is not exact, unless there is none.
      if (offset === undefined || after - before <= SLOWEST_MS) {
        offset = Number(rows[0]?.ms) - (before + after) / 2;
      }
    },
  };
}
