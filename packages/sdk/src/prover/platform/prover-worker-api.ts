/** Events of a worker, the same in Node and in browsers. */
export interface ProverWorkerListener {
  onMessage(data: unknown): void;
  /** The worker could not start, or ended unexpectedly. May be called more than once. */
  onEnd(cause: unknown): void;
}

/** A worker that runs the prover. */
export interface ProverWorker {
  /** Sends a message. Buffers that are transferred are not copied, and this thread loses them. */
  post(message: unknown, transferred: ArrayBuffer[]): void;
  /** Sets whether the worker keeps the process alive. Does nothing in browsers. */
  keepAlive(alive: boolean): void;
  terminate(): Promise<void>;
}
