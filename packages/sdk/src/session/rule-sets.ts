/** Reads of the service, unchecked. Before signing, the client reads what matters from the chain. */
import type { RuleSet } from '@service/contract';
import { unexpected } from '../http/transport.ts';
import { checkOptions, invalidArgument } from '../lib/check-arguments.ts';
import type { CallOptions } from '../lib/clock.ts';
import type { Session } from './session.ts';

/** Options of `ruleSets` (SPEC.md section 4). */
export interface RuleSetsOptions extends CallOptions {
  /** Records per request, 1 to 500. @default 100 */
  readonly pageSize?: number;
}

/** See `ServiceClient.ruleSets`. */
export async function* ruleSets(
  { api }: Session,
  options: RuleSetsOptions,
): AsyncGenerator<RuleSet, void, undefined> {
  checkOptions(options);
  const { signal, pageSize } = options;
  if (pageSize !== undefined && typeof pageSize !== 'number') {
    throw invalidArgument('pageSize', 'pageSize must be a number, 1 to 500.');
  }
  const seen = new Set<string>();
  let cursor: string | undefined;
  do {
    const query = {
      ...(pageSize === undefined ? {} : { limit: String(pageSize) }),
      ...(cursor === undefined ? {} : { cursor }),
    };
    const page = await api.call('rules', { query, signal });
    yield* page.ruleSets;
    cursor = page.nextCursor ?? undefined;
    // A service could return a new cursor each time, and the loop would never end.
    if (cursor !== undefined && page.ruleSets.length === 0)
      throw unexpected('GET /api/rules', 'returns an empty page with a cursor');
    if (cursor !== undefined && seen.has(cursor)) throw unexpected('GET /api/rules', 'repeats a cursor');
    if (cursor !== undefined) seen.add(cursor);
  } while (cursor !== undefined);
}
