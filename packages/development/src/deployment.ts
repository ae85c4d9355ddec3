import type { Address } from '@solana/kit';

/** The values that a client pins: the content of deployment.json. */
export interface Deployment {
  readonly program: Address;
  readonly genesisHash: string;
  readonly artifactsDigest: string;
  readonly rpcUrl: string;
  readonly verifierOrigins: readonly string[];
  /** Origin of the site. */
  readonly baseUrl: string;
}
