/** Finds the circuit of the pinned artifacts. The service sends the manifest, the digest pins it, and the chain must agree. */
import { type AccountOf, circuitDifference, type Found, programAddresses } from '@service/protocol';
import { manifestDigest } from '@service/protocol/eligibility/manifest';
import type { ClientCore, PinnedCircuit } from '../client/core.ts';
import { ServiceError } from '../errors.ts';
import { quoted } from '../lib/quoted.ts';
import { readFinalAccount } from '../rpc/accounts.ts';

/**
 * Returns the circuit of the pinned manifest.
 *
 * @throws ServiceError CIRCUIT_MISMATCH if the service has another manifest
 */
export async function pinnedCircuit(
  core: ClientCore,
  signal: AbortSignal | undefined,
): Promise<PinnedCircuit> {
  if (core.circuit) return core.circuit;
  const { manifest } = (await core.api.call('config', { signal })).artifacts;
  const pinned = core.deployment.artifactsDigest;
  const digest = await manifestDigest(manifest).catch(() => 'none');
  if (digest !== pinned) {
    throw mismatch(
      `The service's artifact manifest has the digest ${digest}, but the deployment pins ${pinned}.`,
    );
  }
  core.circuit = { id: manifest.circuit, digest: pinned, keyHash: manifest.files.key.sha256 };
  return core.circuit;
}

/**
 * Reads the Circuit account of the pinned manifest, at finalized commitment.
 *
 * @throws ServiceError CIRCUIT_MISMATCH, RPC_ERROR, ABORTED
 */
export async function readPinnedCircuit(
  core: ClientCore,
  signal: AbortSignal | undefined,
): Promise<Found<AccountOf<'circuit'>>> {
  const pinned = await pinnedCircuit(core, signal);
  const address = await programAddresses(core.deployment.program).circuit(pinned.id);
  return checkedCircuit(pinned, await readFinalAccount(core, 'circuit', address, signal));
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
