/** What the checks of a prepare read from: one service, one view of the chain. */
import type { ChainReader } from '@service/protocol';
import type { ChainTip } from '../../chain-index/index.ts';
import type { Service } from '../../service.ts';

/** Where the checks of a request read. */
export interface PlanScope {
  readonly service: Service;
  /** The newest finalized slot and the chain time in it. */
  readonly tip: ChainTip;
  readonly signal: AbortSignal;
}

/** Reads the chain at finalized. */
export function finalizedReader({ service, signal }: PlanScope): ChainReader {
  return { rpc: service.rpc, program: service.settings.program, commitment: 'finalized', signal };
}
