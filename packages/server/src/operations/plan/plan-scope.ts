import type { ChainTip } from '../../chain-head/index.ts';
import type { Service } from '../../service.ts';

/** The data sources for the checks of one request to prepare. */
export interface PlanScope {
  readonly service: Service;
  /** The newest finalized slot and the chain time in it. */
  readonly tip: ChainTip;
  readonly signal: AbortSignal;
}

/** Seconds by which the current chain time, and that at landing, may be ahead of the finalized chain time. */
export const CHAIN_TIME_SLACK_SECONDS = 120n;
