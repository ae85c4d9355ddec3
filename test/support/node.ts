/** An RPC node whose results a test changes. */
import type { Localnet } from '@service/localnet';
import { createSolanaRpcFromTransport, type RpcTransport } from '@solana/kit';

/** Changes the result of a method, or throws. */
export type Edit = (result: never, params: readonly unknown[]) => unknown;

/** What a test changes, by RPC method. */
export type Edits = Readonly<Record<string, Edit>>;

/** Returns an RPC of a cluster with changed results. */
export function nodeWith(net: Pick<Localnet, 'transport'>, edits: Edits): Localnet['rpc'] {
  const transport = async (request: Parameters<RpcTransport>[0]) => {
    const { method, params } = request.payload as { method: string; params: readonly unknown[] };
    const response = (await net.transport(request)) as { result: never };
    const edit = edits[method];
    return edit ? { ...response, result: await edit(response.result, params) } : response;
  };
  return createSolanaRpcFromTransport(transport as RpcTransport) as unknown as Localnet['rpc'];
}

/** Replaces the `value` of a result. */
export const withValue = (result: object, value: unknown) => ({ ...result, value });

/** Results of a node that lost a transaction. */
export const LOST = {
  getTransaction: () => null,
  getSignatureStatuses: (result: object) => withValue(result, [null]),
  getSignaturesForAddress: () => [],
} satisfies Edits;

/** Returns the bytes with one bit changed. */
export function flipped(bytes: Uint8Array, at: number): Uint8Array {
  const changed = bytes.slice();
  changed[at]! ^= 1;
  return changed;
}
