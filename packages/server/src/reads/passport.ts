/** `GET /api/passport`: the records of one wallet, from the finalized index (SPEC.md section 4). */
import { MAX_PASSPORT_RECORDS, type Passport } from '@service/contract';
import { credentialRecordOf, passRecordOf } from '@service/protocol';
import type { Address } from '@solana/kit';
import { findAccount, findAccounts, isSuspendedAt } from '../chain-index/find.ts';
import { assertIndexFresh } from '../chain-index/freshness.ts';
import { findGates } from '../chain-index/gates.ts';
import type { RouteInput } from '../http/routing/route-types.ts';
import type { Service } from '../service.ts';
import { findVerification } from '../verification/sessions.ts';
import { markedBinding } from './mint-binding.ts';
import { ruleSetRecords } from './rule-sets.ts';

const limit = MAX_PASSPORT_RECORDS;

/**
 * Returns the wallet's credential, latest verification, passes, rule sets, bindings and gates, at most
 * MAX_PASSPORT_RECORDS of each.
 * The rule sets are those that the wallet created, has a pass of or issues under. The wallet's own bindings come first, then
 * those of the creators of these rule sets, then those of others, because anybody can bind a mint to a rule set. A pass counts
 * as live while it expires later than the chain time, unless it was ended or suspended.
 *
 * @throws ServiceFault INDEX_STALE
 */
export async function readPassport(
  service: Service,
  { wallet, signal }: RouteInput<'passport'>,
): Promise<Passport> {
  const { index, tip } = await assertIndexFresh(service);
  const [config, verification, credential, passes, made, issuing] = await Promise.all([
    findAccount(service, 'config'),
    findVerification(service, wallet),
    findAccount(service, 'credential', { wallet }),
    findAccounts(service, 'pass', { wallet }, { limit, first: 'lastToExpire' }),
    findAccounts(service, 'ruleSet', { wallet }, { limit }),
    findAccounts(service, 'mintBinding', { wallet }, { limit }),
  ]);
  const own = new Set([
    ...made.map(({ address }) => address),
    ...passes.map(({ data }) => data.rule),
    ...issuing.map(({ data }) => data.rule),
  ]);
  const rules = [...own].slice(0, limit);
  const [found, bound, gates, livePasses] = await Promise.all([
    findAccounts(service, 'ruleSet', { address: [...own] }),
    findAccounts(service, 'mintBinding', { rule: rules }, { limit, first: 'byCreator' }),
    findGates(service, { rules, limit }),
    countLivePasses(service, rules, { chainTime: tip.time, validFrom: config?.data.passesValidFrom ?? 0n }),
  ]);
  const ruleSetAt = new Map(found.map((ruleSet) => [ruleSet.address, ruleSet]));
  const ruleSets = rules.flatMap((rule) => ruleSetAt.get(rule) ?? []);
  const bindings = [...issuing, ...bound.filter(({ data }) => data.issuer !== wallet)];
  const records = await ruleSetRecords(service, ruleSets, signal);
  return {
    wallet,
    credential: credential ? credentialRecordOf(credential) : null,
    ...(verification ? { verification } : {}),
    passes: passes.map((pass) => passRecordOf(pass, config)),
    ruleSets: records.map((record) => ({ ...record, livePasses: livePasses.get(record.address) ?? 0n })),
    bindings: bindings
      .slice(0, limit)
      .map((binding) => markedBinding(binding, ruleSetAt.get(binding.data.rule))),
    gates,
    index,
  };
}

/**
 * Counts the passes of each rule set that expire later than the chain time, and that were neither ended nor suspended. Rule
 * sets without one are omitted.
 */
async function countLivePasses(
  { db }: Service,
  rules: readonly Address[],
  { chainTime, validFrom }: { chainTime: bigint; validFrom: bigint },
): Promise<Map<Address, bigint>> {
  if (rules.length === 0) return new Map();
  const counted = await db
    .selectFrom('indexed_account')
    .select((select) => ['rule', select.fn.countAll<bigint>().as('passes')])
    .where('kind', '=', 'pass')
    .where('rule', 'in', [...rules])
    .where('expires_at', '>', chainTime)
    .where('issued_at', '>=', validFrom)
    .where(isSuspendedAt(chainTime), 'is', false)
    .groupBy('rule')
    .execute();
  return new Map(counted.flatMap(({ rule, passes }) => (rule ? [[rule, passes]] : [])));
}
