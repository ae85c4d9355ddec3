/** The data sources for the checks of one request to prepare. */
import type { ChainReader } from '@service/protocol';
import type { ChainTip } from '../../chain-index/chain-tip.ts';
import type { Service } from '../../service.ts';

/** The data sources of one request. */
export interface PlanScope {
  readonly service: Service;
  /** The newest finalized slot and the chain time in it. */
  readonly tip: ChainTip;
  readonly signal: AbortSignal;
}

/** Returns a reader of the chain at finalized. */
export function finalizedReader({ service, signal }: PlanScope): ChainReader {
  return { rpc: service.rpc, program: service.settings.program, commitment: 'finalized', signal };
}
