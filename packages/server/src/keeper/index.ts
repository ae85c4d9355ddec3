/**
 * The keeper: freezes the token accounts of gated mints whose owners no longer have a live pass. Until somebody does, the owners
 * can move their tokens. The index remembers every wallet that had a pass for the rule set of a gate, also after the pass was
 * closed, so a crash loses none. The service pays the network fees, up to a budget for each day.
 */
import { decodeMintConfig, mintConfigAddress } from '@service/protocol';
import { type Address, fetchEncodedAccounts } from '@solana/kit';
import { readChainTip } from '../chain-head/index.ts';
import { rememberHoldersOfNamed } from '../chain-index/gated-holders.ts';
import { latest, type Position, readPosition } from '../chain-index/position.ts';
import { type Background, startBackground } from '../lib/background.ts';
import { batchesOf } from '../lib/batches.ts';
import type { Service } from '../service.ts';
import { keeperBudget } from './budget.ts';
import {
  type DueHolder,
  findDueMints,
  hasGates,
  recordAttempt,
  recordCheck,
  requeue,
  takeDueHolders,
} from './due-holders.ts';
import { freezeAccounts } from './freeze-accounts.ts';

/** Milliseconds between two steps. */
export const KEEPER_INTERVAL_MS = 5_000;
/** Wallets that one step checks at most. */
const AT_ONCE = 16;
const ACCOUNTS_PER_REQUEST = 100;
/** Mints whose MintConfig one step reads at most. Anybody can gate mints, so the others wait for their turn. */
const MINTS_AT_ONCE = 2 * ACCOUNTS_PER_REQUEST;
/** Milliseconds after which the keeper looks again for holders of the mints that the operator named. */
const REMEMBER_AGAIN_MS = 3_600_000;

/** Starts the keeper. */
export function startKeeper(service: Service): Background {
  let rememberedAt = Number.NEGATIVE_INFINITY;
  return startBackground(service, {
    name: 'keeper',
    intervalMs: KEEPER_INTERVAL_MS,
    async step(signal) {
      // The operator may have named other mints since the last start, and a process with the old names may have run until now.
      const now = service.clock.now();
      if (now - rememberedAt >= REMEMBER_AGAIN_MS) {
        await rememberHoldersOfNamed(service.db, service.settings);
        rememberedAt = now;
      }
      await keep(service, signal);
    },
  });
}

async function keep(service: Service, signal: AbortSignal): Promise<void> {
  const { clock, db, log } = service;
  const position = await readPosition(db);
  if (!position || keeperBudget(service) === 0n || !(await hasGates(db))) return;
  // The finalized time is some 13 seconds behind. The program decides whether a pass has expired.
  const { time } = await readChainTip(service, signal, 'confirmed');
  const at = { chainTime: latest(position.time, time), now: clock.now() };
  const due = await findDueMints(service, { ...at, limit: MINTS_AT_ONCE });
  const mints = await freezable(service, due, signal);
  const others = due.filter((mint) => !mints.includes(mint));
  await requeue(db, others);
  if (mints.length === 0) return;
  const holders = await takeDueHolders(service, { ...at, mints, limit: AT_ONCE });
  const isUnpaid = await Promise.all(holders.map((holder) => keepHolder(service, holder, position, signal)));
  if (isUnpaid.includes(true)) {
    log.warn(
      'The keeper stopped until the next day (UTC): KEEPER_DAILY_LAMPORTS is spent. Until then, holders whose passes ended can move their tokens.',
    );
  }
}

/** Returns those of the mints whose token accounts Token ACL lets everybody freeze, by this program. */
async function freezable(
  { rpc, settings: { program } }: Service,
  mints: readonly Address[],
  abortSignal: AbortSignal,
): Promise<Address[]> {
  const found: Address[] = [];
  for (const some of batchesOf(mints, ACCOUNTS_PER_REQUEST)) {
    const addresses = await Promise.all(some.map(mintConfigAddress));
    const configs = await fetchEncodedAccounts(rpc, addresses, { commitment: 'confirmed', abortSignal });
    for (const account of configs) {
      const config = decodeMintConfig(account);
      if (config?.gate === program && config.canFreeze) found.push(config.mint);
    }
  }
  return found;
}

/** Checks a wallet. Returns whether a transaction was not sent because the budget of the day is spent. */
async function keepHolder(
  service: Service,
  holder: DueHolder,
  position: Position,
  signal: AbortSignal,
): Promise<boolean> {
  const { db, outages } = service;
  const minSlot = latest(position.slot, position.read_slot);
  try {
    const outcomes = await freezeAccounts(service, holder, { minSlot, signal });
    outages.worked('freezing token accounts');
    const [isSent, isRefused] = [outcomes.includes('SENT'), outcomes.includes('REFUSED')];
    if (outcomes.length === 0) await recordCheck(db, holder, position.time);
    else await recordAttempt(service, holder, { isSent, isRefused });
    return outcomes.includes('UNPAID');
  } catch (error) {
    outages.failed('freezing token accounts', error);
    return false;
  }
}
