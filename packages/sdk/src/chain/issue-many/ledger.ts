/** The place where the caller keeps the state of an issue to many. */

/**
 * Keeps the lines of one {@link issueMany} call, so that a later call with the same rows continues where it stopped.
 * `fileLedger` of `@service/sdk/node` is one in a file. Another one can be a table with the number of the line as its key.
 */
export interface IssueLedger {
  /** Returns all lines in their order; none for a new ledger. */
  read(): Promise<readonly string[]>;
  /**
   * Stores a line durably: after this promise resolves, the line survives a crash of the machine. `number` counts the
   * lines before it. Rejects if the ledger has another number of lines, because then another process uses it too.
   */
  append(line: string, number: number): Promise<void>;
}
