import { expect, it } from 'vitest';
import { type MintAmounts, plainNumber, uiTokenAmount } from './ui-amount.ts';

const YEAR = 31_556_736;
const interest = (preUpdateAverageRate: number, currentRate: number) => ({
  initializationTimestamp: 0n,
  preUpdateAverageRate,
  lastUpdateTimestamp: BigInt(YEAR),
  currentRate,
});
const scale = { multiplier: '2', newMultiplierEffectiveTimestamp: 100n, newMultiplier: '0.5' };

// The interest is continuous: 5% for one year is a factor of exp(0.05).
const ROWS: [amount: bigint, mint: MintAmounts, time: number, uiAmount: number | null, text: string][] = [
  [1_500_000n, { decimals: 6 }, 0, 1.5, '1.5'],
  [0n, { decimals: 6 }, 0, 0, '0'],
  [100n, { decimals: 0 }, 0, 100, '100'],
  [1n, { decimals: 9 }, 0, 1e-9, '0.000000001'],
  [2n ** 64n - 1n, { decimals: 19 }, 0, 1.8446744073709551, '1.8446744073709551615'],
  [1n, { decimals: 20 }, 0, null, '0.00000000000000000001'],
  [1_000n, { decimals: 3, interest: interest(0, 0) }, 5 * YEAR, 1, '1'],
  [1_000_000n, { decimals: 6, interest: interest(500, 0) }, 9 * YEAR, 1.051271, '1.051271'],
  [1_000_000n, { decimals: 6, interest: interest(500, -500) }, 2 * YEAR, 1, '1'],
  [1_000n, { decimals: 0, interest: interest(500, 500) }, 2 * YEAR, 1105, '1105'],
  [5n, { decimals: 1, scale: { ...scale, multiplier: '1e22' } }, 0, 5e21, '5000000000000000000000'],
  [1_000n, { decimals: 3, interest: interest(32767, 32767) }, 1e9 * YEAR, null, 'inf'],
  [1_000n, { decimals: 3, scale }, 99, 2, '2'],
  [1_001n, { decimals: 3, scale }, 100, 0.5, '0.5'],
];

it.each(ROWS)('shows %i units of %o at %i', (amount, mint, time, uiAmount, text) => {
  const shown = uiTokenAmount(amount, mint, time);
  expect(shown).toMatchObject({ amount: amount.toString(), decimals: mint.decimals });
  expect(shown).toMatchObject({ uiAmount, uiAmountString: text });
});

it('writes numbers without an exponent', () => {
  for (const [value, text] of [
    [1, '1'],
    [1.5, '1.5'],
    [1.25e21, '1250000000000000000000'],
    [1.25e-7, '0.000000125'],
    [Number.POSITIVE_INFINITY, 'inf'],
  ] as const)
    expect(plainNumber(value)).toBe(text);
});
