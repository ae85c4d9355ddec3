/** `GET /api/config`: what a client is told before it knows anything (SPEC.md section 4). */
import { REGIONS, type ServiceConfig, STATUSES } from '@service/contract';
import type { Service } from '../service.ts';
import { ARTIFACTS_PATH } from './artifacts.ts';

/** The public configuration; nothing of it is read from the chain. */
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
  };
}
