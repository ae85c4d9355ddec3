/** What one service is told when it starts. */

import type { ArtifactManifest } from '@service/contract';
import type { Address } from '@solana/kit';

/** Settings of the service, built in code: nothing of them is read from the environment. */
export interface Settings {
  /** Full origin of the site, as in `http://localhost:3000`: the only one whose POSTs are taken. */
  readonly origin: string;
  readonly program: Address;
  /** Base58 genesis hash that the RPC must have; a service on another cluster refuses to start. */
  readonly genesisHash: string;
  /** RPC URL that clients are told of. */
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
    /** The secret before, while it is exchanged: messages under either are taken, and both sign what goes out. */
    readonly previousWebhookSecret?: string | undefined;
  };
  /** Addresses and ranges of the proxies whose X-Forwarded-For is believed. @default none */
  readonly trustedProxies?: readonly string[];
  /** Seconds by which the index may lag the chain before reads answer INDEX_STALE. */
  readonly maxIndexLagSeconds: number;
  /** Milliseconds for which public reads share one answer, so that visitors cannot multiply calls of the RPC. @default 1000 */
  readonly sharedReadMs?: number;
  /** Milliseconds between two looks of the worker and of the indexer at the chain; `manual`: only when told, as tests do. */
  readonly pollIntervalMs: number | 'manual';
}
