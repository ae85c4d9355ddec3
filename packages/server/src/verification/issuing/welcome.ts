/**
 * The welcome payment: SOL for the first pass and token account, in the transaction that creates the credential of a wallet.
 * Two records keep it from being paid twice. On chain, a credential account is never closed, so a wallet that has one gets
 * nothing. In the database, a row for each wallet names the one session whose transactions may pay. Two transactions of one
 * session cannot both land, because they contain the same credential. If the session failed, none of them can land any more,
 * and another session takes the row over.
 */
import type { Instruction } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { sql } from 'kysely';
import type { IssuingSession } from '../../database/schema.ts';
import type { Service } from '../../service.ts';
import type { Settings } from '../../settings.ts';
import { CREDENTIAL_LAMPORTS, readFeePayerBalance } from './fee-payer.ts';
import { readWalletCredential } from './wallet-credential.ts';

const BUDGET_MS = 24 * 3_600_000;

/** The key of the advisory lock under which the budget is spent. Any fixed number works. */
const BUDGET_LOCK = 4_815_162_342_001n;

/**
 * Returns the instruction that pays the wallet of a session, or null if it gets nothing. Reserves the amount before it
 * returns, also if the transaction then does not land.
 *
 * @throws the errors of the RPC and of the database
 */
export async function welcomeInstruction(
  service: Service,
  session: IssuingSession,
  signal: AbortSignal,
): Promise<Instruction | null> {
  const { feePayer, log, settings } = service;
  const { lamports = 0n, dailyLamports = 0n } = settings.welcome ?? {};
  if (lamports === 0n) return null;
  const { wallet } = session;
  // Another transaction may have created the credential since it was read at finalized.
  if (await readWalletCredential(service, wallet, signal, 'confirmed')) return null;
  if ((await readFeePayerBalance(service)) < CREDENTIAL_LAMPORTS + lamports) {
    log.warn(
      { wallet },
      `The fee payer ${feePayer.address} has too little SOL for a welcome payment. Send SOL to it.`,
    );
    return null;
  }
  if (!(await reserve(service, session, { lamports, dailyLamports }))) {
    log.warn(
      { wallet },
      'The wallet gets no welcome payment: WELCOME_DAILY_LAMPORTS is spent, or another session has it.',
    );
    return null;
  }
  return getTransferSolInstruction({ source: feePayer, destination: wallet, amount: lamports });
}

/** Reserves a payment for a session, once for each wallet and within the budget. Returns whether the session may pay. */
function reserve(
  { db, clock }: Service,
  { id, wallet }: IssuingSession,
  { lamports, dailyLamports }: NonNullable<Settings['welcome']>,
): Promise<boolean> {
  const now = clock.now();
  return db.transaction().execute(async (transaction) => {
    // Two servers must not spend the rest of the budget at once.
    await sql`select pg_advisory_xact_lock(${BUDGET_LOCK}::bigint)`.execute(transaction);
    const found = await transaction
      .selectFrom('welcome_payment')
      .innerJoin('verification_session', 'verification_session.id', 'welcome_payment.session_id')
      .select(['session_id', 'state'])
      .where('welcome_payment.wallet', '=', wallet)
      .executeTakeFirst();
    if (found && found.session_id !== id && found.state !== 'FAILED') return false;
    const spent = await transaction
      .selectFrom('welcome_payment')
      .select(sql<bigint>`coalesce(sum(lamports), 0)::bigint`.as('sum'))
      .where('reserved_at', '>', BigInt(now - BUDGET_MS))
      .where('wallet', '<>', wallet)
      .executeTakeFirstOrThrow();
    if (BigInt(spent.sum) + lamports > dailyLamports) return false;
    // Another attempt of the same session moves the time too, because it may pay a day after the first one.
    const row = { session_id: id, lamports, reserved_at: BigInt(now) };
    await transaction
      .insertInto('welcome_payment')
      .values({ wallet, ...row })
      .onConflict((conflict) => conflict.column('wallet').doUpdateSet(row))
      .execute();
    return true;
  });
}
