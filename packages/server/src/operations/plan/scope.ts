/** The service and the view of the chain that the checks of a prepare use. */
import type { ChainReader } from '@service/protocol';
import type { ChainTip } from '../../chain-index/index.ts';
import type { Service } from '../../service.ts';

/** The scope of the checks of a request. */
export interface PlanScope {
  readonly service: Service;
  /** The newest finalized slot and the chain time in it. */
  readonly tip: ChainTip;
  readonly signal: AbortSignal;
}

/** Returns a reader at finalized commitment. */
export function finalizedReader({ service, signal }: PlanScope): ChainReader {
  return { rpc: service.rpc, program: service.settings.program, commitment: 'finalized', signal };
}
