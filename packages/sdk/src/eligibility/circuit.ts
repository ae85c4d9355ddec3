/** Finds the circuit of the pinned artifacts. The site serves the manifest, the digest pins it, and the chain must agree. */
import { type AccountOf, circuitDifference, type Found } from '@service/protocol';
import { EligibilityError } from '@service/protocol/eligibility/errors';
import { manifestDigest } from '@service/protocol/eligibility/manifest';
import { isServiceError, ServiceError } from '../errors.ts';
import { quoted } from '../lib/service-words.ts';
import { unexpectedError } from '../lib/unexpected-error.ts';
import type { PinnedCircuit } from '../rpc/chain.ts';
import type { SessionOnChain } from '../session/session.ts';
import { loadProver } from './load-prover.ts';

/**
 * Returns the circuit of the pinned manifest. After a change of the keys, the configuration has a newer one. Then it fetches
 * the pinned manifest, which the site serves until the earlier circuit retires.
 *
 * @throws ServiceError CIRCUIT_MISMATCH if the site has other artifacts only, NETWORK_ERROR, TIMEOUT, ABORTED
 */
export async function pinnedCircuit(
  state: SessionOnChain,
  signal: AbortSignal | undefined,
): Promise<PinnedCircuit> {
  const { session, chain } = state;
  if (chain.circuit) return chain.circuit;
  const configured = (await session.api.call('config', { signal })).artifacts.manifest;
  const digest = chain.deployment.artifactsDigest;
  const actual = await manifestDigest(configured).catch((error: unknown) => {
    // A manifest that the service made up may have no digest.
    if (error instanceof EligibilityError) return 'none';
    throw unexpectedError('Computing the digest of the manifest', error);
  });
  const { circuit, files } = actual === digest ? configured : await earlierManifest(state, actual, signal);
  chain.circuit = { id: circuit, digest, keyHash: files.key.sha256 };
  return chain.circuit;
}

async function earlierManifest(
  { session: { baseUrl, fetch }, chain: { deployment } }: SessionOnChain,
  actual: string,
  signal: AbortSignal | undefined,
) {
  const url = new URL('/artifacts', baseUrl);
  const pinned = { digest: deployment.artifactsDigest, url, ...(fetch ? { fetch } : {}) };
  try {
    const { fetchManifest } = await loadProver(signal);
    return await fetchManifest(pinned, signal);
  } catch (error) {
    const isMissing = isServiceError(error) && error.status === 404;
    if (!isMissing && !isServiceError(error, 'ARTIFACTS_INVALID')) throw error;
    throw mismatch(
      `The service's artifact manifest has the digest ${actual}, but the deployment pins ${deployment.artifactsDigest}.`,
    );
  }
}

/** Returns the account if it has the digest and the verifying key of the pinned manifest. Throws ServiceError CIRCUIT_MISMATCH. */
export async function checkedCircuit(
  pinned: PinnedCircuit,
  found: Found<AccountOf<'circuit'>> | null,
): Promise<Found<AccountOf<'circuit'>>> {
  const difference = await circuitDifference(found?.data, pinned);
  if (!difference) return found!;
  const problem = {
    account: 'is not on chain',
    digest: 'has other artifacts on chain than the deployment pins',
    key: 'has another verifying key on chain than its manifest, so its proofs may show anything. Do not trust its passes',
  }[difference];
  throw mismatch(`The circuit ${JSON.stringify(quoted(pinned.id))} ${problem}.`);
}

function mismatch(problem: string): ServiceError {
  return new ServiceError('CIRCUIT_MISMATCH', {
    message: `${problem} Get the operator's current deployment.json.`,
  });
}
