/** Rule sets as records. Their pass funds come from the chain, because the index does not have them. */
import { clauseFromMasks, RULES_PAGE, type RuleSet, type Rules } from '@service/contract';
import { type AccountOf, type Found, ruleSetRecordOf } from '@service/protocol';
import { type Address, isAddress } from '@solana/kit';
import { findAccounts } from '../chain-index/find.ts';
import { readPassFunds } from '../chain-index/free-lamports.ts';
import { assertIndexFresh } from '../chain-index/freshness.ts';
import { invalidRequest } from '../http/failures/fault.ts';
import type { RouteInput } from '../http/routing/route-types.ts';
import type { Service } from '../service.ts';

/** Returns the records of rule sets. Throws the errors of the RPC. */
export async function ruleSetRecords(
  service: Service,
  found: readonly Found<AccountOf<'ruleSet'>>[],
  signal: AbortSignal,
): Promise<RuleSet[]> {
  const funds = await readPassFunds(
    service,
    found.map(({ address }) => address),
    signal,
  );
  return found.map((ruleSet) =>
    ruleSetRecordOf(ruleSet, { passFunds: funds.get(ruleSet.address) ?? 0n, clauseOf: clauseFromMasks }),
  );
}

/**
 * Returns a page of all rule sets, sorted by address, for `GET /api/rules`. The cursor is the last address of the page. So
 * a rule set that is added between two pages does not repeat or hide another one.
 *
 * @throws ServiceFault INVALID_REQUEST, INDEX_STALE
 */
export async function readRules(
  service: Service,
  query: RouteInput<'rules'>['query'],
  signal: AbortSignal,
): Promise<Rules> {
  const limit = Number(query.limit ?? RULES_PAGE.default);
  const after = readCursor(query.cursor);
  const { index } = await assertIndexFresh(service);
  const found = await findAccounts(service, 'ruleSet', {}, { after, limit: limit + 1 });
  const page = found.slice(0, limit);
  return {
    ruleSets: await ruleSetRecords(service, page, signal),
    index,
    nextCursor: found.length > limit ? (page.at(-1)?.address ?? null) : null,
  };
}

function readCursor(text: string | undefined): Address | null {
  if (text === undefined) return null;
  if (isAddress(text)) return text;
  throw invalidRequest('query.cursor must be the nextCursor of the previous page.');
}
