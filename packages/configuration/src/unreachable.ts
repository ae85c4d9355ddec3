/** A dependency that a command needs did not respond. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';

  /**
   * @param what subject of the sentence, such as "The RPC"
   * @param error only its message is shown, because it contains no URL
   */
  constructor(what: string, error: unknown) {
    super(`${what} did not respond: ${messageOf(error)}.`, { cause: error });
  }
}

/** Includes the causes, because the errors of fetch and of connections with several addresses have empty messages. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(', ');
  return error.cause instanceof Error ? `${error.message} (${messageOf(error.cause)})` : error.message;
}
