/** The settings of one service. */
import type { ArtifactManifest } from '@service/contract';
import type { Address } from '@solana/kit';

/** Lamports. Limits the cost of a mistake to 200 times the fee of a signature. */
export const MAX_PRIORITY_FEE_LAMPORTS = 1_000_000n;

/** Milliseconds between two polls of the chain. */
export const POLL_INTERVAL_MS = 1_000;
/** Lamports a day: the network fees of 10,000 transactions. */
export const KEEPER_DAILY_LAMPORTS = 50_000_000n;

/** The receiver: a program that gets events as webhooks. */
export interface EventReceiver {
  readonly url: string;
  /** The Standard Webhooks secrets (`whsec_...`): one, or two during a rotation. Each signs. */
  readonly secrets: readonly string[];
}

/** A verifier. */
export interface VerifierSettings {
  /** The name by which a page chooses it. No other verifier of the service has it. */
  readonly name: string;
  /** Its base URL. */
  readonly url: string;
  /** The Standard Webhooks secret (`whsec_...`) that only it shares with the service. */
  readonly webhookSecret: string;
  /** The old secret during a rotation. The service accepts messages signed with either one, and signs with both. */
  readonly previousWebhookSecret?: string | undefined;
}

/** Settings of the service, set in code. The environment is not read here. */
export interface Settings {
  /** Full origin of the site, such as `http://localhost:3000`. POSTs from other origins are rejected. */
  readonly origin: string;
  /** More origins whose pages use the service, each with its own sessions. @default none */
  readonly otherOrigins?: readonly string[] | undefined;
  readonly program: Address;
  /** Base58 genesis hash that every RPC must have. The service does not start on another cluster. */
  readonly genesisHash: string;
  /** RPC URL that clients get. */
  readonly publicRpcUrl: string;
  /** Folder of the proof artifacts, their manifest, and its digest (64 hex digits). */
  readonly artifacts: {
    readonly directory: string;
    readonly manifest: ArtifactManifest;
    readonly digest: string;
  };
  /** The external verifier of every request that names none. */
  readonly verifier: VerifierSettings;
  /** More verifiers, which a request can name. @default none */
  readonly otherVerifiers?: readonly VerifierSettings[] | undefined;
  /** Who gets events. @default nobody */
  readonly events?: EventReceiver | undefined;
  /** Addresses and ranges of the proxies whose X-Forwarded-For is trusted. @default none */
  readonly trustedProxies?: readonly string[];
  /** Seconds by which the index may lag behind the chain before reads return INDEX_STALE. */
  readonly maxIndexLagSeconds: number;
  /** Milliseconds for which public reads share one answer, so that visitors cannot multiply RPC calls. @default 1000 */
  readonly sharedReadMs?: number;
  /** The most lamports that an operation may pay for priority. @default {@link MAX_PRIORITY_FEE_LAMPORTS} */
  readonly maxPriorityFeeLamports?: bigint;
  /** What a wallet gets with its first credential, and the most for all wallets in 24 hours, in lamports. @default nothing */
  readonly welcome?: { readonly lamports: bigint; readonly dailyLamports: bigint };
  /** What the keeper may pay. */
  readonly keeper?: {
    /** The most lamports in a day of UTC; 0 freezes nothing. @default {@link KEEPER_DAILY_LAMPORTS} */
    readonly dailyLamports?: bigint;
    /** The mints whose token accounts it freezes. @default all gated mints */
    readonly mints?: readonly Address[] | undefined;
  };
  /** Milliseconds between two polls of the chain by the worker and the indexer. `manual`: only tick() polls, for tests. */
  readonly pollIntervalMs: number | 'manual';
}

/** Returns the most lamports that an operation may pay for priority. */
export function maxPriorityFeeOf({ maxPriorityFeeLamports = MAX_PRIORITY_FEE_LAMPORTS }: Settings): bigint {
  return maxPriorityFeeLamports;
}
