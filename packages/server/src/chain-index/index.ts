/** The chain index: every account of the program at finalized, in the database (SPEC.md section 1). */
import { type Background, startBackground } from '../lib/background.ts';
import type { Service } from '../service.ts';
import { indexStep } from './indexer.ts';

export { type ChainTip, readChainTip } from './chain-tip.ts';
export { assertIndexFresh, type Freshness, indexedSlot, indexStale, isIndexed } from './freshness.ts';

/** Starts the indexer. */
export function startIndexer(service: Service): Background {
  return startBackground(service, { name: 'indexer', step: (signal) => indexStep(service, signal) });
}
