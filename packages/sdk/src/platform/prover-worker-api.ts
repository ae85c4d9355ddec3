/** The caller's end of the line to a worker, the same in Node and in browsers. */

/** What is heard of a worker. */
export interface ProverWorkerListener {
  onMessage(data: unknown): void;
  /** It could not start, or ended by itself. May be called more than once. */
  onEnd(cause: unknown): void;
}

/** A worker that runs the prover. */
export interface ProverWorker {
  post(message: unknown): void;
  /** Whether it keeps the process alive. Nothing in browsers. */
  keepAlive(alive: boolean): void;
  terminate(): Promise<void>;
}
