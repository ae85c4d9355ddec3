import { createDatabaseClock } from '@service/database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** Clocks of a machine whose wall clock is wrong by a number of milliseconds. */
const machine = (aheadMs: number) => ({
  wall: () => Date.now() + aheadMs,
  steady: () => performance.now(),
});

test.each([100_000, -100_000])(
  'a process whose clock is %i ms ahead uses the time of the database',
  async (aheadMs) => {
    const clock = createDatabaseClock(database.db, machine(aheadMs));
    await clock.measure();
    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(2_000);
    expect(Math.abs(clock.skewMs() - aheadMs)).toBeLessThan(2_000);
  },
);

test('somebody who changes the clock of the machine changes no decision', async () => {
  let wall = 0;
  let steady = 5_000;
  const clock = createDatabaseClock(database.db, { wall: () => wall, steady: () => steady });
  await clock.measure();
  const before = clock.now();
  wall = Number.MAX_SAFE_INTEGER;
  expect(clock.now()).toBe(before);
  steady += 250;
  expect(clock.now()).toBe(before + 250);
});

test('a slow answer does not replace a better measurement', async () => {
  let steady = 0;
  let secondsPerLook = 0;
  const look = () => {
    steady += secondsPerLook * 1_000;
    return steady;
  };
  const clock = createDatabaseClock(database.db, { wall: Date.now, steady: look });
  await clock.measure();
  const before = clock.now();
  secondsPerLook = 5;
  await clock.measure();
  secondsPerLook = 0;
  expect(clock.now()).toBe(before + 10_000);
});

test('a clock that was not measured has no time', () => {
  expect(() => createDatabaseClock(database.db).now()).toThrow('was not measured');
});
