/** What the keeper may pay in a day. Anybody can gate a mint to any rule set, and then make accounts for it to freeze. */
import { SIGNATURE_FEE_LAMPORTS } from '@service/protocol';
import { sql } from 'kysely';
import type { Service } from '../service.ts';
import { KEEPER_DAILY_LAMPORTS } from '../settings.ts';

const DAY_MS = 86_400_000;

/** Returns the most lamports that the keeper pays in a day of UTC. */
export function keeperBudget({ settings }: Pick<Service, 'settings'>): bigint {
  return settings.keeper?.dailyLamports ?? KEEPER_DAILY_LAMPORTS;
}

/**
 * Reserves the network fee of a transaction. Returns whether the budget of the day still had it. It counts also if the
 * transaction is then not sent.
 */
export async function reserveFee(service: Pick<Service, 'db' | 'clock' | 'settings'>): Promise<boolean> {
  const [budget, fee] = [keeperBudget(service), SIGNATURE_FEE_LAMPORTS];
  if (budget < fee) return false;
  const day = BigInt(Math.floor(service.clock.now() / DAY_MS));
  const { rows } = await sql`
    insert into keeper_payment (day, lamports) values (${day}, ${fee})
    on conflict (day) do update set lamports = keeper_payment.lamports + ${fee}
    where keeper_payment.lamports + ${fee} <= ${budget}
    returning day`.execute(service.db);
  return rows.length > 0;
}
