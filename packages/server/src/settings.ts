/** The settings of one service. */

import type { ArtifactManifest } from '@service/contract';
import type { Address } from '@solana/kit';

/** Settings of the service. None is read from the environment. */
export interface Settings {
  /** Full origin of the site, such as `http://localhost:3000`. The service accepts POST requests from it only. */
  readonly origin: string;
  readonly program: Address;
  /** Base58 genesis hash that the RPC must have; a service on another cluster refuses to start. */
  readonly genesisHash: string;
  /** RPC URL for clients. */
  readonly publicRpcUrl: string;
  /** Folder of the proof artifacts, and their manifest and its digest (64 hex digits). */
  readonly artifacts: {
    readonly directory: string;
    readonly manifest: ArtifactManifest;
    readonly digest: string;
  };
  /** The external verifier: its base URL and the Standard Webhooks secret (`whsec_...`) that both sides hold. */
  readonly verifier: {
    readonly url: string;
    readonly webhookSecret: string;
    /** The old secret, during a change of secrets: either is accepted, and requests are signed with both. */
    readonly previousWebhookSecret?: string | undefined;
  };
  /** Addresses and ranges of the proxies whose X-Forwarded-For is trusted. @default none */
  readonly trustedProxies?: readonly string[];
  /** Seconds by which the index may lag behind the chain before reads return INDEX_STALE. */
  readonly maxIndexLagSeconds: number;
  /** Milliseconds for which public reads share one result, to limit RPC calls. @default 1000 */
  readonly sharedReadMs?: number;
  /** Milliseconds between two steps of background work; `manual`: only by tick(), for tests. */
  readonly pollIntervalMs: number | 'manual';
}
