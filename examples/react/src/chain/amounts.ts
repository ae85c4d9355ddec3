/** Amounts for people. The SDK takes base units and lamports as bigint; a number would lose digits. */

const SOL_DECIMALS = 9;

/** Writes base units with the decimals of a mint: 1_500_000n with 6 decimals is "1.5". */
export function formatAmount(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0');
  const whole = BigInt(digits.slice(0, digits.length - decimals)).toLocaleString('en');
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction ? `${whole}.${fraction}` : whole;
}

/** What a page needs of a mint to write its amounts. */
interface Unit {
  readonly decimals: number;
  readonly symbol: string | null;
}

/** Writes base units with the symbol of their mint: "1.5 EXB", or "1.5 tokens" if it has none. */
export function formatTokens(units: bigint, { decimals, symbol }: Unit): string {
  return `${formatAmount(units, decimals)} ${symbol ?? 'tokens'}`;
}

/**
 * Reads an amount that a person typed. Commas may only separate thousands: many people write "1,5" for one and a half.
 * Returns null if the text is no such number above zero, or has too many decimals.
 */
export function parseAmount(text: string, decimals: number): bigint | null {
  const match = /^(\d{1,20}|\d{1,3}(?:,\d{3}){1,6})(?:\.(\d*))?$/.exec(text.trim());
  const [, whole = '', fraction = ''] = match ?? [];
  if (!match || fraction.length > decimals) return null;
  const units = BigInt(whole.replaceAll(',', '') + fraction.padEnd(decimals, '0'));
  return units > 0n ? units : null;
}

export const formatSol = (lamports: bigint) => `${formatAmount(lamports, SOL_DECIMALS)} SOL`;
export const parseSol = (text: string) => parseAmount(text, SOL_DECIMALS);

/** A balance, rounded down to four decimals. */
export function formatBalance(lamports: bigint): string {
  return formatSol(lamports - (lamports % 100_000n));
}
