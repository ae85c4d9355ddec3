/**
 * The pass closer: ends live passes of revoked credentials, inactive verifiers and unsound circuits. The index is its queue,
 * so a crash loses no pass. The service pays the network fee, and the wallet of the pass gets the rent.
 */
import { type AccountOf, type Found, programAddresses } from '@service/protocol';
import {
  getClosePassInstruction,
  RULE_SET_PASS_ERROR__PASS_LIVE,
  RULE_SET_PASS_ERROR__WRONG_OWNER,
} from '@service/protocol/generated';
import type { Address } from '@solana/kit';
import { findPassesToEnd } from '../chain-index/passes-to-end.ts';
import { readPosition } from '../chain-index/position.ts';
import { type Background, startBackground } from '../lib/background.ts';
import type { Service } from '../service.ts';
import { chainRefusal } from '../verification/issuing/chain-refusal.ts';
import {
  buildCredentialTransaction,
  sendCredentialTransaction,
  simulateCredentialTransaction,
} from '../verification/issuing/credential-transaction.ts';

/** Milliseconds between two steps. */
const INTERVAL_MS = 10_000;
/** Passes that one step ends at most. */
const AT_ONCE = 16;
/** Milliseconds after which a pass that is still in the index is due again: longer than finality takes. */
const AGAIN_MS = 60_000;

/** Rejections of a pass that is closed already, or that something supports again. The index does not show it yet. */
const NOTHING_TO_CLOSE: readonly (number | null)[] = [
  RULE_SET_PASS_ERROR__PASS_LIVE,
  RULE_SET_PASS_ERROR__WRONG_OWNER,
];

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
  const passes = await findPassesToEnd(service, { chainTime: position.time, except, limit: AT_ONCE });
  const found = new Set(passes.map(({ address }) => address));
  for (const address of closing.keys()) if (isDue(address) && !found.has(address)) closing.delete(address);
  await Promise.all(passes.map((pass) => closePass(service, pass, signal)));
}

async function closePass(
  service: Service,
  pass: Found<AccountOf<'pass'>>,
  signal: AbortSignal,
): Promise<void> {
  const { closing, clock, log, outages } = service;
  const { address } = pass;
  const count = (closing.get(address)?.count ?? 0) + 1;
  closing.set(address, { count, dueAt: clock.now() + AGAIN_MS });
  try {
    const { wire } = await buildCredentialTransaction(service, [await instructionFor(service, pass)], signal);
    const error = await simulateCredentialTransaction(service, wire, signal);
    outages.worked('closing a pass');
    if (!error) return await sendCredentialTransaction(service, wire, signal);
    const { code, reason } = chainRefusal(error, service, [service.settings.program]);
    if (NOTHING_TO_CLOSE.includes(code)) closing.set(address, { count: 0, dueAt: clock.now() + AGAIN_MS });
    else log.warn({ pass: address, reason }, 'a pass could not be closed; it will be retried');
  } catch (error) {
    outages.failed('closing a pass', error);
  }
}

async function instructionFor(
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
