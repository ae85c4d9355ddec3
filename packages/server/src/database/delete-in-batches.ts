/** Rows that one statement deletes: it holds their locks until it ends. */
const BATCH = 500;

/** Deletes batch after batch, until one is not full or the signal aborts. `deleteBatch` deletes at most `limit` rows. */
export async function deleteInBatches(
  signal: AbortSignal,
  deleteBatch: (limit: number) => Promise<{ readonly numDeletedRows: bigint }>,
): Promise<void> {
  let isDone = false;
  while (!isDone && !signal.aborted) isDone = (await deleteBatch(BATCH)).numDeletedRows < BigInt(BATCH);
}
