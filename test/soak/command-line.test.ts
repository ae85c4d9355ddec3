import { expect, test } from 'vitest';
import { readCommandLine } from './command-line.ts';

test('reads the options, which have defaults; --help returns null', () => {
  const others = { only: [], servers: 3, mutant: null };
  expect(readCommandLine([])).toEqual({
    ...others,
    seconds: 600,
    seed: expect.any(Number),
    usesFolder: false,
  });
  const args = ['--data-dir', '--seconds', '30', '--seed', '4711'];
  expect(readCommandLine(args)).toEqual({ ...others, seconds: 30, seed: 4711, usesFolder: true });
  const chosen = ['--faults', 'receiver, silent', '--servers', '1', '--mutant', 'drafts-not-stored'];
  expect(readCommandLine(chosen)).toMatchObject({
    only: ['receiver', 'silent'],
    servers: 1,
    mutant: 'drafts-not-stored',
  });
  expect(readCommandLine(['--seconds', 'no', '--help'])).toBeNull();
});

const REMEDY = 'Run npm run campaign -- soak --help, which lists the options.';
test.each([
  [['--second', '5'], `Unknown option '--second'. ${REMEDY}`],
  [['60'], `Unexpected argument '60'. ${REMEDY}`],
  [['--seed'], `Option '--seed <value>' argument missing. ${REMEDY}`],
  [['--data-dir=folder'], `Option '--data-dir' does not take an argument. ${REMEDY}`],
  [['--seconds', 'ten'], '--seconds is "ten". Pass a whole number from 1 to 999999999.'],
  [['--seed', '-1'], `Option '--seed' argument is ambiguous. ${REMEDY}`],
  [['--seed=1e3'], '--seed is "1e3". Pass a whole number from 0 to 999999999.'],
  [['--servers', '4'], '--servers is "4". Pass a whole number from 1 to 3.'],
  [['--seconds', '0'], '--seconds is "0". Pass a whole number from 1 to 999999999.'],
])('%j is rejected', (args, message) => {
  expect(() => readCommandLine(args)).toThrow(message);
});
