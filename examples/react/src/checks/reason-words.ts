/** A reason in words: who must act, and what they must do. */
export interface ReasonWords {
  readonly who: string;
  readonly text: string;
}

export const PAUSED = 'The protocol is paused. Wait until governance ends the pause.';

/** Writes Unix seconds as a date with its time. */
export function dateOf(seconds: bigint): string {
  return new Date(Number(seconds) * 1000).toLocaleString();
}
