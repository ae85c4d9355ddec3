/** Fetches the public configuration, and compares it with what the deployment pins. */
import type { ServiceConfig } from '@service/contract';
import { REGIONS } from '@service/contract/regions';
import { STATUSES } from '@service/contract/statuses';
import { ServiceError } from '../errors.ts';
import type { CallOptions } from '../lib/clock.ts';
import type { SessionOnChain } from './session.ts';

/** See `ServiceClient.config`. */
export async function readConfig(
  { session, chain }: SessionOnChain,
  options: CallOptions,
): Promise<ServiceConfig> {
  const config = await session.api.call('config', options);
  const { program, genesisHash, artifactsDigest } = chain.deployment;
  const fields = [
    ...(config.program === program ? [] : ['program']),
    ...(config.genesisHash === genesisHash ? [] : ['genesisHash']),
    ...(config.artifacts.digest === artifactsDigest ? [] : ['artifacts.digest']),
    ...(namesAlike(REGIONS, config.regions) ? [] : ['regions']),
    ...(namesAlike(STATUSES, config.statuses) ? [] : ['statuses']),
  ];
  if (fields.length === 0) return config;
  throw new ServiceError('CONFIG_MISMATCH', {
    message: `The service's ${fields.join(', ')} differ from what the deployment and this SDK pin. Check baseUrl, and get the operator's current deployment.json.`,
    context: { fields },
  });
}

interface Name {
  readonly index: number;
  readonly code: string;
  readonly name: string;
}

/** Returns whether the service names each known entry once and the same way. A newer service may know more entries. */
function namesAlike(known: readonly Name[], received: readonly Name[]): boolean {
  const asText = ({ index, code, name }: Name) => JSON.stringify([index, code, name]);
  return known.every((each) => {
    // A lookup by any of the three must find this entry.
    const { index, code, name } = each;
    const found = received.filter(
      (other) => other.index === index || other.code === code || other.name === name,
    );
    return found.map(asText).join() === asText(each);
  });
}
