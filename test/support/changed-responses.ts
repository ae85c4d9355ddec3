type Body = Record<string, unknown>;

/** Wraps a fetch function and changes the bodies of responses under a path, by default those about operations. */
export function changedResponses(
  fetch: typeof globalThis.fetch,
  change: (body: Body) => object,
  path = '/api/operations/',
): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const response = await fetch(request);
    if (!new URL(request.url).pathname.startsWith(path)) return response;
    const changed = change((await response.json()) as Body);
    return changed instanceof Response ? changed : Response.json(changed);
  };
}

/** Returns the record of an operation without its transaction. */
export const withoutTransaction = ({ transaction: _, ...record }: Body) => record;

/** Returns the record of an operation that nobody signed, as expired. */
export const asExpired = ({ signature: _signature, slot: _slot, indexed: _indexed, ...record }: Body) => ({
  ...withoutTransaction(record),
  state: 'EXPIRED',
});
