/**
 * Largest number of missed slots that are opened at once after the process was blocked. It is far below the 150 blocks of
 * a blockhash, so that a busy machine does not let transactions expire.
 */
const MAX_CATCH_UP = 30;

/** Opens a slot every `slotMs` milliseconds. If the process was busy, it opens the missed slots too. */
export class SlotTimer {
  readonly #timer: NodeJS.Timeout;

  constructor(slotMs: number, advance: (slots: number) => void) {
    let last = performance.now();
    this.#timer = setInterval(() => {
      // A timer can fire a fraction of a millisecond early.
      const due = Math.floor((performance.now() + 1 - last) / slotMs);
      // A test can set the clock back.
      if (due < 0) last = performance.now();
      if (due <= 0) return;
      last = due > MAX_CATCH_UP ? performance.now() : last + due * slotMs;
      advance(Math.min(due, MAX_CATCH_UP));
    }, slotMs);
    // Only the HTTP server keeps the process alive.
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
