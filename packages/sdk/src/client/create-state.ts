import { parseUrl } from '@service/contract/url';
import { type Deployment, parseDeployment } from '../deployment.ts';
import { createApi, type RetryOptions } from '../http/transport.ts';
import { BoundedMap } from '../lib/bounded-map.ts';
import { checkObject, checkProver, invalidArgument } from '../lib/check-arguments.ts';
import { type Clock, machineClock } from '../lib/clock.ts';
import { SharedWork } from '../lib/shared-work.ts';
import { type AdditionOptions, readAdditions } from '../operations/additions/addition-options.ts';
import { Ledger } from '../operations/outcome/ledger.ts';
import type { ClientState } from '../operations/state.ts';
import { CLIENT_GLOBALS, requireGlobals } from '../platform/require-globals.ts';
import type { NativeProver } from '../prover/native/native-prover.ts';
import type { ChainRpc } from '../rpc/checked-rpc.ts';
import { otherTabs } from '../session/other-tabs.ts';
import { snapshotStore } from '../session/snapshot.ts';

/** Options of `ServiceClient` (SPEC.md section 5). */
export interface ServiceClientOptions extends AdditionOptions {
  /** The deployment that the caller pins. No server can change it. */
  readonly deployment: Deployment;
  /** Origin of the site, which serves the API under /api. @default the page's own origin, outside a page deployment.baseUrl */
  readonly baseUrl?: string;
  /** Origin that sign-in messages must name. @default the origin of baseUrl */
  readonly origin?: string;
  /** Your own RPC, from which the client reads the chain. @default one at deployment.rpcUrl */
  readonly rpc?: ChainRpc;
  /** @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch;
  /**
   * Makes the proofs instead of the SDK's provers. Required in React Native, which has no WebAssembly.
   * @default the SDK's provers
   */
  readonly prover?: NativeProver;
  /** How reads are retried. */
  readonly retry?: RetryOptions;
  /** For tests: replaces the clock of this machine. @default the machine's clock */
  readonly clock?: Clock;
}

/** Used nonces that a client remembers. A challenge expires after five minutes, so older ones are rejected anyway. */
const MOST_NONCES = 1_000;

/**
 * Creates the state of a client.
 *
 * @throws ServiceError INVALID_ARGUMENT if an option cannot be used; UNSUPPORTED_PLATFORM if no call of the service can be made
 */
export function createState(options: ServiceClientOptions): ClientState {
  requireGlobals(CLIENT_GLOBALS);
  checkObject('options', options, 'an object such as { deployment }');
  const { rpc, retry, prover, clock = machineClock } = options;
  const deployment = parseDeployment(options.deployment);
  const baseUrl = originOf('baseUrl', options.baseUrl ?? globalThis.location?.origin ?? deployment.baseUrl);
  const origin = options.origin === undefined ? baseUrl : originOf('origin', options.origin);
  if (rpc !== undefined) checkObject('rpc', rpc, 'what createSolanaRpc(url) of @solana/kit returns');
  if (options.fetch !== undefined && typeof options.fetch !== 'function') {
    throw invalidArgument('fetch', 'fetch must be a function. You can leave it out.');
  }
  checkProver(prover);
  const ledger = new Ledger((operationId) => snapshot.leave(operationId));
  const snapshot = snapshotStore(
    (operationId) => ledger.isOver(operationId),
    (operationId) => clock.elapsed() >= ledger.deadlineOf(operationId),
  );
  return {
    session: {
      api: createApi({ clock, baseUrl, origin, fetch: options.fetch, retry }),
      baseUrl,
      origin,
      fetch: options.fetch,
      snapshot,
      tabs: otherTabs(baseUrl),
      signIns: new SharedWork(),
      challenges: new BoundedMap(MOST_NONCES),
      usedNonces: new BoundedMap(MOST_NONCES),
      ownWallets: new Set(),
    },
    chain: { deployment, rpc: rpc ?? deployment.rpcUrl, clock },
    prover,
    operations: { ledger, snapshot, additions: readAdditions(options) },
  };
}

/** Reads an origin from an option. Rejects a path, because it would be dropped. */
function originOf(field: string, text: unknown): string {
  const url = typeof text === 'string' ? parseUrl(text) : null;
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
  throw invalidArgument(
    field,
    `${field} must be an origin without a path, such as https://app.example. You can leave it out in a page, or if deployment has it.`,
  );
}
