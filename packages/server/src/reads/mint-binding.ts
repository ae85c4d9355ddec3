/** Bindings as records that say whether the creator of the rule set issues the token. */
import type { MintBinding, MintBindingAnswer } from '@service/contract';
import { type AccountOf, bindingRecordOf, type Found, programAddresses } from '@service/protocol';
import type { Address } from '@solana/kit';
import { findAccount } from '../chain-index/find.ts';
import { assertIndexFresh } from '../chain-index/freshness.ts';
import type { Service } from '../service.ts';
import { ruleSetRecords } from './rule-sets.ts';

/** Returns the record of a binding to a rule set. */
export function markedBinding(
  binding: Found<AccountOf<'mintBinding'>>,
  ruleSet: Found<AccountOf<'ruleSet'>> | undefined,
): MintBinding {
  return { ...bindingRecordOf(binding), issuerIsCreator: binding.data.issuer === ruleSet?.data.creator };
}

/**
 * Returns the binding of a mint and its rule set, for `GET /api/mint-bindings` (SPEC.md section 4).
 *
 * @throws ServiceFault INDEX_STALE
 */
export async function readMintBinding(
  service: Service,
  mint: Address,
  signal: AbortSignal,
): Promise<MintBindingAnswer> {
  const { index } = await assertIndexFresh(service);
  const address = await programAddresses(service.settings.program).mintBinding(mint);
  const binding = await findAccount(service, 'mintBinding', { address });
  const ruleSet = binding && (await findAccount(service, 'ruleSet', { address: binding.data.rule }));
  const [record] = await ruleSetRecords(service, ruleSet ? [ruleSet] : [], signal);
  return { binding: binding ? markedBinding(binding, ruleSet) : null, ruleSet: record ?? null, index };
}
