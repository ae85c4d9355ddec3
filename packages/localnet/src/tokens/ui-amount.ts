/** Amounts of tokens as people see them. */

/** An amount in the format of a node. */
export interface UiTokenAmount {
  amount: string;
  decimals: number;
  uiAmount: number | null;
  uiAmountString: string;
}

/** What a mint says about the amounts of its tokens. */
export interface MintAmounts {
  decimals: number;
  /** Interest in basis points a year. It changes only what people see. Times are in Unix seconds. */
  interest?: {
    initializationTimestamp: bigint;
    preUpdateAverageRate: number;
    lastUpdateTimestamp: bigint;
    currentRate: number;
  };
  /** A factor for what people see. */
  scale?: { multiplier: string; newMultiplierEffectiveTimestamp: bigint; newMultiplier: string };
}

const SECONDS_PER_YEAR = 60 * 60 * 24 * 365.24;
const BASIS_POINTS = 10_000;
/** A node computes the power of ten in a u64. */
const MAX_DECIMALS = 19;

/** Formats an amount of base units, as people see it at a time in Unix seconds, without trailing zeros. */
export function uiTokenAmount(amount: bigint, mint: MintAmounts, time: number): UiTokenAmount {
  const { decimals, interest, scale } = mint;
  const texts = { amount: amount.toString(), decimals };
  if (interest)
    return { ...texts, ...fromNumber(Number(amount) * interestScale(interest, decimals, time), decimals) };
  if (scale) {
    const isNew = time >= scale.newMultiplierEffectiveTimestamp;
    const scaled = Math.trunc(Number(amount) * Number(isNew ? scale.newMultiplier : scale.multiplier));
    return { ...texts, ...fromNumber(scaled / 10 ** decimals, decimals) };
  }
  const uiAmount = decimals > MAX_DECIMALS ? null : Number(amount) / 10 ** decimals;
  return { ...texts, uiAmount, uiAmountString: trimmed(withPoint(texts.amount, decimals), decimals) };
}

/** Returns a number in digits without an exponent, as nodes write numbers in texts. */
export function plainNumber(value: number): string {
  const [mantissa = '', exponent] = String(value).split('e');
  if (exponent === undefined) return mantissa === 'Infinity' ? 'inf' : mantissa;
  const [whole = '', fraction = ''] = mantissa.split('.');
  const point = whole.length + Number(exponent);
  if (point <= 0) return `0.${'0'.repeat(-point)}${whole}${fraction}`;
  return `${whole}${fraction}`.padEnd(point, '0');
}

function interestScale(
  interest: NonNullable<MintAmounts['interest']>,
  decimals: number,
  time: number,
): number {
  const { initializationTimestamp, preUpdateAverageRate, lastUpdateTimestamp, currentRate } = interest;
  const growth = (rate: number, seconds: number) =>
    Math.exp((rate * seconds) / SECONDS_PER_YEAR / BASIS_POINTS);
  const before = growth(preUpdateAverageRate, Number(lastUpdateTimestamp - initializationTimestamp));
  return (before * growth(currentRate, time - Number(lastUpdateTimestamp))) / 10 ** decimals;
}

function fromNumber(value: number, decimals: number) {
  if (!Number.isFinite(value)) return { uiAmount: null, uiAmountString: 'inf' };
  // toFixed writes an exponent from 1e21 and accepts at most 100 digits.
  const text = value < 1e21 ? value.toFixed(Math.min(decimals, 100)) : plainNumber(value);
  const uiAmountString = trimmed(text, decimals);
  return { uiAmount: Number(uiAmountString), uiAmountString };
}

function withPoint(digits: string, decimals: number): string {
  const padded = digits.padStart(decimals + 1, '0');
  return decimals > 0 ? `${padded.slice(0, -decimals)}.${padded.slice(-decimals)}` : padded;
}

function trimmed(text: string, decimals: number): string {
  return decimals > 0 && text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text;
}
