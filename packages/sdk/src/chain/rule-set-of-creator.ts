import type { Address } from '@solana/kit';
import { invalidArgument } from '../lib/check-arguments.ts';
import { accountNotFound } from '../rpc/accounts.ts';
import type { ChainOptions } from './options.ts';
import { fetchRuleSet } from './reads.ts';

/**
 * Reads a rule set that the wallet must have created, because only its creator can do the act.
 *
 * @param act completes "Only the creator … can", such as `withdraw pass funds`
 * @throws ServiceError ACCOUNT_NOT_FOUND, INVALID_ARGUMENT for another wallet, and those of fetchRuleSet
 */
export async function ruleSetOfCreator(
  options: ChainOptions & { readonly rule: Address },
  wallet: Address,
  act: string,
) {
  const found = await fetchRuleSet(options);
  if (!found) throw accountNotFound('rule set of this program', options.rule);
  if (found.creator === wallet) return found;
  throw invalidArgument('wallet', `Only the creator ${found.creator} can ${act}. Use the creator's wallet.`);
}
