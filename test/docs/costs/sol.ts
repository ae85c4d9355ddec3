/** Returns lamports as SOL with all nine decimals that are needed. */
export function sol(lamports: bigint): string {
  const digits = lamports.toString().padStart(10, '0');
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`.replace(/\.?0+$/, '');
}
