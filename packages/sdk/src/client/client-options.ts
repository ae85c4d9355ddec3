import type { Deployment } from '../deployment.ts';
import type { RetryOptions } from '../http/transport.ts';
import { invalidArgument } from '../lib/check-arguments.ts';
import type { ChainRpc } from '../rpc/chain-rpc.ts';

/** Options of `ServiceClient` (SPEC.md section 5). */
export interface ServiceClientOptions {
  /** What the caller pins and no server can change. */
  readonly deployment: Deployment;
  /** Origin of the site, which serves the API under /api. @default the page's own origin, outside a page deployment.baseUrl */
  readonly baseUrl?: string;
  /** Origin that sign-in messages must name. @default the origin of baseUrl */
  readonly origin?: string;
  /** Your own RPC, which decides what is believed. @default one at deployment.rpcUrl */
  readonly rpc?: ChainRpc;
  /** @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch;
  /** How reads are tried again. */
  readonly retry?: RetryOptions;
}

/** Reads an origin from an option. Refuses a path, which would be dropped. */
export function originOf(field: string, text: string | undefined): string {
  const url = URL.canParse(text ?? '') ? new URL(text ?? '') : null;
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
  throw invalidArgument(
    field,
    `${field} must be an origin without a path, such as https://app.example; only in a page, or when deployment has it, can it be left out.`,
  );
}
