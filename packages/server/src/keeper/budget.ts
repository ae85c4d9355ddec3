/**
 * What the service may pay in a day to freeze token accounts and to end granted passes. Anybody can gate a mint to any rule set
 * and make accounts to freeze, and anybody can grant passes of their own rule set.
 */
import { SIGNATURE_FEE_LAMPORTS } from '@service/protocol';
import { sql } from 'kysely';
import type { KeeperPaymentTable } from '../database/schema.ts';
import type { Service } from '../service.ts';
import { KEEPER_DAILY_LAMPORTS } from '../settings.ts';

const DAY_MS = 86_400_000;
/** The part of the budget that ends granted passes. A pass that is over does no harm, so freezes get the rest. */
const GRANTS_PART = 5n;

type Purpose = KeeperPaymentTable['purpose'];

/** Returns the most lamports that the service pays in a day of UTC for all purposes. */
export function keeperBudget({ settings }: Pick<Service, 'settings'>): bigint {
  return settings.keeper?.dailyLamports ?? KEEPER_DAILY_LAMPORTS;
}

/** Returns the most lamports for a purpose. No purpose can spend the budget of another one. */
function budgetOf(service: Pick<Service, 'settings'>, purpose: Purpose): bigint {
  const all = keeperBudget(service);
  const grants = all / GRANTS_PART;
  return purpose === 'END_GRANT' ? grants : all - grants;
}

/**
 * Reserves the network fee of a transaction. Returns whether the budget of the purpose still had it today. It counts also if
 * the transaction is then not sent.
 */
export async function reserveFee(
  service: Pick<Service, 'db' | 'clock' | 'settings'>,
  purpose: Purpose,
): Promise<boolean> {
  const [budget, fee] = [budgetOf(service, purpose), SIGNATURE_FEE_LAMPORTS];
  if (budget < fee) return false;
  const day = BigInt(Math.floor(service.clock.now() / DAY_MS));
  const { rows } = await sql`
    insert into keeper_payment (day, purpose, lamports) values (${day}, ${purpose}, ${fee})
    on conflict (day, purpose) do update set lamports = keeper_payment.lamports + ${fee}
    where keeper_payment.lamports + ${fee} <= ${budget}
    returning day`.execute(service.db);
  return rows.length > 0;
}
