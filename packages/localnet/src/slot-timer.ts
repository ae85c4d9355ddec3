/** At most this many slots are caught up at once after the process was held up. */
const MAX_CATCH_UP = 150;

/** Opens a slot every so many milliseconds, catching up when the process was busy meanwhile. */
export class SlotTimer {
  readonly #timer: NodeJS.Timeout;

  constructor(slotMs: number, advance: (slots: number) => void) {
    let last = performance.now();
    this.#timer = setInterval(() => {
      // A timer may fire a fraction of a millisecond early.
      const due = Math.floor((performance.now() + 1 - last) / slotMs);
      // Nor does a clock that a test has set back take slots away.
      if (due < 0) last = performance.now();
      if (due <= 0) return;
      last = due > MAX_CATCH_UP ? performance.now() : last + due * slotMs;
      advance(Math.min(due, MAX_CATCH_UP));
    }, slotMs);
    // A cluster alone keeps no process alive; its HTTP server does.
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
