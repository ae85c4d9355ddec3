import { deploymentRecord, describeIssue } from '@service/contract';
import type { Address } from '@solana/kit';
import { ServiceError } from './errors.ts';

/**
 * What the caller pins and no server can change. An operator publishes it; `npm start` writes it to deployment.json
 * (SPEC.md section 2).
 */
export interface Deployment {
  /** Address of the program. */
  readonly program: Address;
  /** Base58 genesis hash of the cluster. */
  readonly genesisHash: string;
  /** Digest of the proof artifacts' manifest, 64 lowercase hex digits. */
  readonly artifactsDigest: string;
  /** The RPC that is believed, unless the caller gives one. */
  readonly rpcUrl: string;
  /** Origins at which a verifier may be, such as `https://verifier.example`. */
  readonly verifierOrigins: readonly string[];
  /** Origin of the site that serves the API, where there is no page to tell it. */
  readonly baseUrl?: string | undefined;
}

/**
 * Checks what was read from a deployment.json; fields beside those of {@link Deployment} are dropped (SPEC.md section
 * 2).
 *
 * @throws ServiceError INVALID_ARGUMENT, naming the field.
 */
export function parseDeployment(value: unknown): Deployment {
  const parsed = deploymentRecord.safeParse(value);
  if (parsed.success) {
    return Object.freeze({
      ...parsed.data,
      verifierOrigins: Object.freeze([...parsed.data.verifierOrigins]),
    });
  }
  const issue = parsed.error.issues[0];
  const field = ['deployment', ...(issue?.path ?? [])].join('.');
  throw new ServiceError('INVALID_ARGUMENT', {
    message: `${field} ${describeIssue(issue!)}. Pass what JSON.parse makes of the deployment.json that the operator publishes.`,
    context: { field },
  });
}
