/** A dependency that the server needs at start-up did not respond. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';

  /** @param what the subject of the sentence. Only the error's message is used, because it contains no URL. */
  constructor(what: string, error: unknown) {
    super(`${what} does not respond: ${wordsOf(error)}.`, { cause: error });
  }
}

/** Errors of fetch and of connections to several addresses explain themselves only in their causes. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if (error instanceof AggregateError) return error.errors.map(wordsOf).join(', ');
  return error.cause instanceof Error ? `${error.message} (${wordsOf(error.cause)})` : error.message;
}
