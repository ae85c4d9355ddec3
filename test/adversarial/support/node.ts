/** A node of the stage's cluster whose answers a case changes. */
import { CIRCUIT_ACCOUNT_TYPE } from '@service/protocol/generated';
import {
  createSolanaRpcFromTransport,
  getBase64Decoder,
  getBase64Encoder,
  type RpcTransport,
} from '@solana/kit';
import type { Stage } from './stage.ts';

/** Changes the result that a node returns. */
export type Edit = (result: unknown, params: readonly unknown[]) => unknown;

/** What a case changes, by RPC method. */
export type Edits = Readonly<Record<string, Edit>>;

/** Returns an RPC of the stage's cluster with changed results. */
export function nodeWith(stage: Stage, edits: Edits): Stage['rpc'] {
  const transport = (async (request: Parameters<RpcTransport>[0]) => {
    const { method, params } = request.payload as { method: string; params: readonly unknown[] };
    const answer = (await stage.world.net.transport(request)) as { result: unknown };
    return edits[method] ? { ...answer, result: edits[method](answer.result, params) } : answer;
  }) as RpcTransport;
  return createSolanaRpcFromTransport(transport) as unknown as Stage['rpc'];
}

/** Replaces the `value` of a result. */
export const withValue = (result: unknown, value: unknown) => ({ ...(result as object), value });

/** Changes the accounts that a node returns, one by one. */
export function changingAccounts(
  change: (account: unknown, index: number, all: readonly unknown[]) => unknown,
): Edits {
  const edit: Edit = (result) => withValue(result, (result as { value: unknown[] }).value.map(change));
  return { getMultipleAccounts: edit };
}

/** Returns the bytes with one bit changed. */
export const flipped = (wire: Uint8Array, at: number) => {
  const changed = wire.slice();
  changed[at]! ^= 1;
  return changed;
};

/** Returns the account with one bit of its data changed. */
export function withFlippedByte(account: unknown, byte: number): object {
  const { data } = account as { data: [string, string] };
  const bytes = flipped(new Uint8Array(getBase64Encoder().encode(data[0])), byte);
  return { ...(account as object), data: [getBase64Decoder().decode(bytes), 'base64'] };
}

/** Returns whether an account holds a circuit. */
export function isCircuit(value: unknown): boolean {
  const data = (value as { data: [string, string] } | null)?.data[0];
  return data !== undefined && getBase64Encoder().encode(data)[0] === CIRCUIT_ACCOUNT_TYPE;
}
