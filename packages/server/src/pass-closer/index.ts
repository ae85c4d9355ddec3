/**
 * The pass closer: ends live passes of revoked credentials, inactive verifiers and unsound circuits, and closes granted passes
 * that are over. The index is its queue, so a crash loses no pass. The service pays the network fee. The wallet gets the rent
 * of a proved pass, and the creator of the rule set that of a granted one.
 */
import { type AccountOf, type Found, programAddresses } from '@service/protocol';
import {
  getClosePassInstruction,
  getEndGrantInstruction,
  RULE_SET_PASS_ERROR__NOT_CREATOR,
  RULE_SET_PASS_ERROR__PASS_LIVE,
  RULE_SET_PASS_ERROR__PASS_NOT_GRANTED,
  RULE_SET_PASS_ERROR__PASS_SUSPENDED,
  RULE_SET_PASS_ERROR__WRONG_OWNER,
} from '@service/protocol/generated';
import type { Address, Instruction } from '@solana/kit';
import { findGrantsToEnd, type Grant } from '../chain-index/grants-to-end.ts';
import { findPassesToEnd } from '../chain-index/passes-to-end.ts';
import { readPosition } from '../chain-index/position.ts';
import { reserveFee } from '../keeper/budget.ts';
import { type Background, startBackground } from '../lib/background.ts';
import { buildPaidTransaction, chainRefusal, sendPaidTransaction } from '../paid-transaction.ts';
import type { Service } from '../service.ts';

const INTERVAL_MS = 10_000;
/** Passes of each kind that one step ends at most. */
const AT_ONCE = 16;
/** Milliseconds after which a pass that is still in the index is due again: longer than finality takes. */
const AGAIN_MS = 60_000;

/** Rejections of a pass that is closed already, or that must stay by now. The index does not show it yet. */
const NOTHING_TO_CLOSE: readonly (number | null)[] = [
  RULE_SET_PASS_ERROR__PASS_LIVE,
  RULE_SET_PASS_ERROR__WRONG_OWNER,
  // A granted pass that was granted again, proved or suspended.
  RULE_SET_PASS_ERROR__NOT_CREATOR,
  RULE_SET_PASS_ERROR__PASS_NOT_GRANTED,
  RULE_SET_PASS_ERROR__PASS_SUSPENDED,
];

/** A pass to end, and how. */
interface Ending {
  readonly address: Address;
  instruction(): Promise<Instruction>;
  /** Returns whether the service may pay for it. */
  mayPay(): Promise<boolean>;
}

/** Starts the pass closer. */
export function startPassCloser(service: Service): Background {
  return startBackground(service, {
    name: 'pass closer',
    intervalMs: INTERVAL_MS,
    step: (signal) => closePasses(service, signal),
  });
}

async function closePasses(service: Service, signal: AbortSignal): Promise<void> {
  const { closing, clock, db } = service;
  const position = await readPosition(db);
  if (!position) return;
  const isDue = (address: Address) => (closing.get(address)?.dueAt ?? 0) <= clock.now();
  const except = [...closing.keys()].filter((address) => !isDue(address));
  const scope = { chainTime: position.time, except, limit: AT_ONCE };
  const [passes, grants] = [await findPassesToEnd(service, scope), await findGrantsToEnd(service, scope)];
  const endings: Ending[] = [
    ...passes.map((pass) => ({
      address: pass.address,
      instruction: () => closePassInstruction(service, pass),
      mayPay: () => Promise.resolve(true),
    })),
    // A creator can grant any number of passes.
    ...grants.map((grant) => ({
      address: grant.address,
      instruction: () => endGrantInstruction(service, grant),
      mayPay: () => reserveFee(service, 'END_GRANT'),
    })),
  ];
  const found = new Set(endings.map(({ address }) => address));
  for (const address of closing.keys()) if (isDue(address) && !found.has(address)) closing.delete(address);
  await Promise.all(endings.map((ending) => endPass(service, ending, signal)));
}

async function endPass(service: Service, ending: Ending, signal: AbortSignal): Promise<void> {
  const { closing, clock, log, outages } = service;
  const { address } = ending;
  const count = (closing.get(address)?.count ?? 0) + 1;
  closing.set(address, { count, dueAt: clock.now() + AGAIN_MS });
  try {
    const { wire, error } = await buildPaidTransaction(service, [await ending.instruction()], signal);
    outages.worked('closing a pass');
    if (!error) {
      if (await ending.mayPay()) await sendPaidTransaction(service, wire, signal);
      // The budget of the day is spent, which is no failure.
      else closing.set(address, { count: 0, dueAt: clock.now() + AGAIN_MS });
      return;
    }
    const { code, reason } = chainRefusal(error, service, [service.settings.program]);
    if (NOTHING_TO_CLOSE.includes(code)) closing.set(address, { count: 0, dueAt: clock.now() + AGAIN_MS });
    else log.warn({ pass: address, reason }, 'a pass could not be closed; it will be retried');
  } catch (error) {
    outages.failed('closing a pass', error);
  }
}

async function closePassInstruction(
  { settings: { program } }: Service,
  { address, data }: Found<AccountOf<'pass'>>,
) {
  const { wallet, rule: ruleSet, verifier, circuit } = data;
  const at = programAddresses(program);
  const [credential, config] = [await at.credential(wallet), await at.config()];
  return getClosePassInstruction(
    { pass: address, wallet, ruleSet, credential, verifier, circuit, config },
    { programAddress: program },
  );
}

async function endGrantInstruction(
  { feePayer, settings: { program } }: Service,
  { address, rule, creator }: Grant,
) {
  const config = await programAddresses(program).config();
  return getEndGrantInstruction(
    { sender: feePayer, pass: address, ruleSet: rule, creator, config },
    { programAddress: program },
  );
}
