const MINUTE = 60n;
const HOUR = 60n * MINUTE;
const DAY = 24n * HOUR;

const twoDigits = (value: bigint) => value.toString().padStart(2, '0');

/** Writes seconds as "29 d 23:59:58". */
export function timeLeft(seconds: bigint): string {
  const clock = [(seconds % DAY) / HOUR, (seconds % HOUR) / MINUTE, seconds % MINUTE]
    .map(twoDigits)
    .join(':');
  return seconds >= DAY ? `${seconds / DAY} d ${clock}` : clock;
}
