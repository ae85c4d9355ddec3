/** Writes a count with its noun: "1 pass", "1,000 passes". */
export function count(number: bigint, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1n ? one : many}`;
}

const UNITS = [
  [86_400n, 'day'],
  [3_600n, 'hour'],
  [60n, 'minute'],
  [1n, 'second'],
] as const;

/** Writes seconds in the largest unit that has no remainder: "30 days", "36 hours". */
export function duration(seconds: bigint): string {
  const [unit, name] = UNITS.find(([length]) => seconds % length === 0n)!;
  return count(seconds / unit, name);
}

/** Says how many wallets of each person can prove a rule set that limits them. */
export function walletsOfPerson(limit: number): string {
  return `At most ${count(BigInt(limit), 'wallet')} of each person`;
}
