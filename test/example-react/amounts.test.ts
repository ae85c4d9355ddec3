import { expect, it } from 'vitest';
import {
  formatAmount,
  formatBalance,
  parseAmount,
  parseSol,
} from '../../examples/react/src/chain/amounts.ts';

it.each([
  ['1', 100n],
  [' 1.5 ', 150n],
  ['1.', 100n],
  ['0.01', 1n],
  ['1,000', 100_000n],
  ['1,000,000.25', 100_000_025n],
])('reads %j with two decimals', (text, units) => {
  expect(parseAmount(text, 2)).toBe(units);
});

it.each([
  '',
  '0',
  '0.00',
  '1.005',
  '-1',
  '1e3',
  '1,5',
  '1,50',
  '1.5,0',
  ',100',
  '1000,000',
  '1,00,000',
  '1 000',
])('rejects %j with two decimals', (text) => {
  expect(parseAmount(text, 2)).toBeNull();
});

it('writes what it reads, without a number that loses digits', () => {
  const most = 2n ** 64n - 1n;
  expect(parseAmount(formatAmount(most, 9), 9)).toBe(most);
  expect(formatAmount(1_500_000n, 6)).toBe('1.5');
  expect(formatAmount(7n, 0)).toBe('7');
  expect(parseSol('0.01')).toBe(10_000_000n);
  expect(formatBalance(1_999_999_999n)).toBe('1.9999 SOL');
});
