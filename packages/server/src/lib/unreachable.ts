/** What the server cannot start without does not answer. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';

  /** @param what as a sentence begins with it; of the error only its words are told, which hold no URL */
  constructor(what: string, error: unknown) {
    super(`${what} does not answer: ${wordsOf(error)}.`, { cause: error });
  }
}

/** What fetch and connections to several addresses throw says nothing itself: their causes do. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if (error instanceof AggregateError) return error.errors.map(wordsOf).join(', ');
  return error.cause instanceof Error ? `${error.message} (${wordsOf(error.cause)})` : error.message;
}
