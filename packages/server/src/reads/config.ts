/** `GET /api/config`: the public configuration, which a client reads first (SPEC.md section 4). */
import { REGIONS, type ServiceConfig, STATUSES } from '@service/contract';
import type { Service } from '../service.ts';
import { maxPriorityFeeOf } from '../settings.ts';
import { verifiersOf } from '../verification/verifiers.ts';
import { ARTIFACTS_PATH } from './artifacts.ts';

/** Returns the public configuration. It does not read the chain. */
export function readConfig({ settings }: Pick<Service, 'settings'>): ServiceConfig {
  const { artifacts, genesisHash, origin, program, publicRpcUrl } = settings;
  return {
    program,
    rpcUrl: publicRpcUrl,
    genesisHash,
    artifacts: {
      digest: artifacts.digest,
      baseUrl: `${origin}${ARTIFACTS_PATH}`,
      manifest: artifacts.manifest,
    },
    regions: [...REGIONS],
    statuses: [...STATUSES],
    maxPriorityFeeLamports: maxPriorityFeeOf(settings),
    verifiers: verifiersOf(settings).map(({ name }) => name),
  };
}
