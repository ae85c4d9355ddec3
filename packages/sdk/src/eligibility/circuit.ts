/** Finds the circuit of the pinned artifacts. The service names it, and the chain must confirm it. */
import { type AccountOf, circuitRecordOf, type Found, programAddresses } from '@service/protocol';
import type { ClientCore } from '../client/core.ts';
import { ServiceError } from '../errors.ts';
import { quoted } from '../lib/quoted.ts';
import { readFinalAccount } from '../rpc/accounts.ts';

/**
 * Returns the id of the circuit whose Circuit account has the pinned digest.
 *
 * @throws ServiceError CIRCUIT_MISMATCH if the chain has another digest
 */
export async function pinnedCircuitId(core: ClientCore, signal: AbortSignal | undefined): Promise<string> {
  if (core.circuitId) return core.circuitId;
  const { artifacts } = await core.api.call('config', { signal });
  const id = artifacts.manifest.circuit;
  const address = await programAddresses(core.deployment.program).circuit(id);
  checkCircuit(core, id, await readFinalAccount(core, 'circuit', address, signal));
  core.circuitId = id;
  return id;
}

/** Throws ServiceError CIRCUIT_MISMATCH unless the account has the digest that the deployment pins. */
export function checkCircuit(
  core: ClientCore,
  id: string,
  found: Found<AccountOf<'circuit'>> | null,
): asserts found is Found<AccountOf<'circuit'>> {
  const pinned = core.deployment.artifactsDigest;
  const onChain = found ? circuitRecordOf(found).artifactsDigest : null;
  if (onChain === pinned) return;
  throw new ServiceError('CIRCUIT_MISMATCH', {
    message: `The circuit ${JSON.stringify(quoted(id))} that the service names ${
      onChain ? `has the artifacts ${onChain} on chain` : 'is not on chain'
    }, but the deployment pins ${pinned}. Get the operator's current deployment.json.`,
  });
}
