import type { Address } from '@solana/kit';
import { programAddresses } from '../addresses.ts';
import { MIN_PROOF_INTERVAL_SECONDS } from '../generated/constants';
import { isSuspended } from '../state/governance.ts';
import { type AccountOf, type ChainReader, readAccounts } from '../state/read.ts';
import type { PostedProveIntent } from './intent.ts';
import { PlanError } from './plan-instruction.ts';

/** What decides whether a proof can take a place. */
export interface PlaceCheck {
  readonly ruleSet: Pick<AccountOf<'ruleSet'>, 'walletsPerPerson'>;
  /** Unix seconds. */
  readonly chainTime: bigint;
}

/**
 * Checks that the proof of an intent takes a place if the rule set limits the wallets of each person, and that it can take
 * it. Does not check that the tag is that of the person, which only the proof shows.
 *
 * @throws PlanError PLACE_NOT_IN_RULE_SET, PLACE_TAKEN, PLACE_NOT_HELD, PLACE_TAKEN_TOO_SOON or PLACE_HELD_BY_SUSPENDED
 */
export async function checkPlace(
  reader: ChainReader,
  intent: PostedProveIntent,
  { ruleSet: { walletsPerPerson }, chainTime }: PlaceCheck,
): Promise<void> {
  const { place, replaces } = intent;
  if (!walletsPerPerson && !place && !replaces) return;
  if (!place || place.number >= walletsPerPerson) throw notInRuleSet(walletsPerPerson);
  const at = programAddresses(reader.program);
  const [held, pass] = await readAccounts(reader, [
    ['place', await at.place(intent.rule, place.tag)],
    ['pass', await at.pass(intent.rule, replaces ?? intent.wallet)],
  ]);
  if (replaces) checkTakeover(held?.data, pass?.data, { replaces, wallet: intent.wallet, chainTime });
  else if (held && held.data.wallet !== intent.wallet) {
    throw new PlanError('PLACE_TAKEN', 'Another wallet holds this place of the person. Take another place.');
  }
}

/** Returns the Unix seconds from which another wallet can take a place. */
export function placeTakeableAt({ since }: Pick<AccountOf<'place'>, 'since'>): bigint {
  return since + MIN_PROOF_INTERVAL_SECONDS;
}

function checkTakeover(
  held: AccountOf<'place'> | undefined,
  pass: AccountOf<'pass'> | undefined,
  { replaces, wallet, chainTime }: { replaces: Address; wallet: Address; chainTime: bigint },
): void {
  if (held?.wallet !== replaces || replaces === wallet) {
    throw new PlanError(
      'PLACE_NOT_HELD',
      `The wallet ${replaces} does not hold this place of the person, or is the wallet that proves. Replace another wallet.`,
    );
  }
  const from = placeTakeableAt(held);
  if (chainTime < from) {
    throw new PlanError('PLACE_TAKEN_TOO_SOON', `The place can be taken from ${from} (Unix seconds) on.`);
  }
  if (pass && isSuspended(pass, chainTime)) {
    throw new PlanError(
      'PLACE_HELD_BY_SUSPENDED',
      'The creator of the rule set suspended the wallet to replace. Ask the creator.',
    );
  }
}

function notInRuleSet(walletsPerPerson: number): PlanError {
  const what = walletsPerPerson
    ? `The rule set has ${walletsPerPerson} places for each person, so body.proof must be base64 of 289 bytes with one of them.`
    : 'The rule set does not limit the wallets of each person, so the proof must have no place, and replaces no wallet.';
  return new PlanError('PLACE_NOT_IN_RULE_SET', what);
}
