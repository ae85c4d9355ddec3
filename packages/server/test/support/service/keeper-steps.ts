/** The background steps that freeze the token accounts of gated mints. */
import { startIndexer } from '../../../src/chain-index/indexer.ts';
import { KEEPER_INTERVAL_MS, startKeeper } from '../../../src/keeper/index.ts';
import type { Service } from '../../../src/service.ts';
import { POLL_INTERVAL_MS } from '../../../src/settings.ts';

/** Returns the steps in the order of a tick, with the milliseconds that pass between two of them by default. */
export function keeperSteps(service: Service) {
  return [
    { intervalMs: POLL_INTERVAL_MS, run: startIndexer(service).tick },
    { intervalMs: KEEPER_INTERVAL_MS, run: startKeeper(service).tick },
  ];
}
