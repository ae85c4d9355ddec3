import { deploymentRecord } from '@service/contract/deployment';
import { describeIssue } from '@service/contract/issues';
import type { SetupProvenance } from '@service/protocol/eligibility/manifest';
import type { Address } from '@solana/kit';
import { ServiceError } from './errors.ts';
import { requireGlobals } from './platform/require-globals.ts';

/**
 * The facts that the caller pins, so that no server can change them. The operator publishes them. `npm start` writes
 * them to deployment.json (SPEC.md section 2).
 */
export interface Deployment {
  /** Address of the program. */
  readonly program: Address;
  /** Base58 genesis hash of the cluster. */
  readonly genesisHash: string;
  /** Digest of the proof artifacts' manifest, 64 lowercase hex digits. */
  readonly artifactsDigest: string;
  /**
   * The kinds of setups whose keys the client uses. On mainnet it uses only those of a ceremony.
   * @default ['ceremony']
   */
  readonly acceptedSetups?: readonly SetupProvenance['kind'][] | undefined;
  /** The RPC that the client uses, unless the caller passes one. */
  readonly rpcUrl: string;
  /** Allowed origins of verifiers, such as `https://verifier.example`. */
  readonly verifierOrigins: readonly string[];
  /** Origin of the site that serves the API. Used outside a page. */
  readonly baseUrl?: string | undefined;
}

/**
 * Checks the content of a deployment.json and returns it, frozen. Drops fields that {@link Deployment} does not have
 * (SPEC.md section 2).
 *
 * @throws ServiceError INVALID_ARGUMENT, naming the field; UNSUPPORTED_PLATFORM if the platform has no `URL`
 */
export function parseDeployment(value: unknown): Deployment {
  // Without this check, the error would blame the URLs of the deployment.
  requireGlobals(['URL']);
  const parsed = deploymentRecord.safeParse(value);
  if (parsed.success) {
    return Object.freeze({
      ...parsed.data,
      ...(parsed.data.acceptedSetups && { acceptedSetups: Object.freeze([...parsed.data.acceptedSetups]) }),
      verifierOrigins: Object.freeze([...parsed.data.verifierOrigins]),
    });
  }
  const issue = parsed.error.issues[0];
  const field = ['deployment', ...(issue?.path ?? [])].join('.');
  throw new ServiceError('INVALID_ARGUMENT', {
    message: `${field} ${describeIssue(issue!)}. Pass the parsed content of the operator's deployment.json.`,
    context: { field },
  });
}
