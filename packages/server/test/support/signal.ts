/** A promise that a test resolves itself. */
export interface Signal {
  readonly reached: Promise<void>;
  reach(): void;
}

/** Creates a signal, with which one part of a test waits for another. */
export function newSignal(): Signal {
  let reach = () => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  return { reached, reach: () => reach() };
}
