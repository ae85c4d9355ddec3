/**
 * Does the same for each item, at most `limit` at a time, in order of their beginning. Resolves or rejects only when
 * nothing runs any more; an item that throws does not keep the others from being done.
 *
 * @throws the first item's error
 */
export async function concurrently<T>(
  items: readonly T[],
  { limit, each }: { limit: number; each: (item: T) => Promise<void> },
): Promise<void> {
  const errors: unknown[] = [];
  const queue = items.values();
  const lane = async () => {
    for (const item of queue) await each(item).catch((error: unknown) => void errors.push(error));
  };
  await Promise.all(Array.from({ length: limit }, lane));
  if (errors.length > 0) throw errors[0];
}
