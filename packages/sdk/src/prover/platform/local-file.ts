/** The file that `readLocalFile` reads. */
export interface LocalFile {
  readonly directory: string;
  readonly name: string;
  /** Largest accepted number of bytes. A larger file is rejected before it is read. */
  readonly limit: number;
  readonly signal: AbortSignal;
}
