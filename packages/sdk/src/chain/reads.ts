/** Records straight from the chain, at finalized commitment, through the caller's own RPC. */
import {
  type Credential,
  clauseFromMasks,
  type MintBinding,
  type Pass,
  type RuleSet,
} from '@service/contract';
import {
  aboveRent,
  bindingRecordOf,
  credentialRecordOf,
  passRecordOf,
  programAddresses,
  readAccount,
  ruleSetRecordOf,
} from '@service/protocol';
import type { Address } from '@solana/kit';
import { callRpc, readerOf, sendOptions } from '../rpc/chain-rpc.ts';
import { passLifeOf, readChainTime } from '../rpc/pass-life.ts';
import { type ChainOptions, chainWith } from './options.ts';

/** A pass and what is left of it by the chain's time (SPEC.md section 2). */
export interface FetchedPass extends Pass {
  /** Seconds until it expires; 0 when it has. */
  readonly secondsLeft: bigint;
}

/**
 * The pass of a wallet for a rule set, or null when it never proved it. It is live while `secondsLeft` is above 0, by the
 * chain's time, which is not that of this machine (SPEC.md section 2).
 *
 * @param options.rule base58 address of the rule set
 * @param options.wallet base58 address of the holder
 * @throws ServiceError INVALID_ARGUMENT, RPC_ERROR, ABORTED, ACCOUNT_NOT_FOUND when the RPC has no clock
 */
export async function fetchPass(
  options: ChainOptions & { readonly rule: Address; readonly wallet: Address },
): Promise<FetchedPass | null> {
  const chain = chainWith(options, ['rule', 'wallet']);
  const { rule, wallet, signal } = options;
  const address = await programAddresses(chain.deployment.program).pass(rule, wallet);
  const found = await callRpc('Reading the pass', signal, () =>
    readAccount(readerOf(chain, signal), 'pass', address),
  );
  const life = found && passLifeOf(found, await readChainTime(chain, signal));
  return life && { ...passRecordOf(found), secondsLeft: life.secondsLeft };
}

/**
 * The rule set at an address, or null when there is none; passFunds in lamports (SPEC.md section 2).
 *
 * @param options.rule base58 address of the rule set
 * @throws ServiceError INVALID_ARGUMENT, RPC_ERROR, ABORTED
 */
export async function fetchRuleSet(
  options: ChainOptions & { readonly rule: Address },
): Promise<RuleSet | null> {
  const chain = chainWith(options, ['rule']);
  const { rule, signal } = options;
  return callRpc('Reading the rule set', signal, async () => {
    const found = await readAccount(readerOf(chain, signal), 'ruleSet', rule);
    if (!found) return null;
    const rent = await chain.rpc.getMinimumBalanceForRentExemption(found.space).send(sendOptions(signal));
    return ruleSetRecordOf(found, { passFunds: aboveRent(found.lamports, rent), clauseOf: clauseFromMasks });
  });
}

/**
 * The credential of a wallet, or null when it has none; times in Unix seconds. It can prove while it is not revoked and
 * `expiresAt` is later than the chain time (SPEC.md section 2).
 *
 * @param options.wallet base58 address of the wallet that it is of
 * @throws ServiceError INVALID_ARGUMENT, RPC_ERROR, ABORTED
 */
export async function fetchCredential(
  options: ChainOptions & { readonly wallet: Address },
): Promise<Credential | null> {
  const chain = chainWith(options, ['wallet']);
  const { wallet, signal } = options;
  const address = await programAddresses(chain.deployment.program).credential(wallet);
  const found = await callRpc('Reading the credential', signal, () =>
    readAccount(readerOf(chain, signal), 'credential', address),
  );
  return found && credentialRecordOf(found);
}

/**
 * The binding of a mint, or null when it is not bound: its rule set, its issuer, and whether senders need a pass too
 * (SPEC.md section 2).
 *
 * @param options.mint base58 address of the mint
 * @throws ServiceError INVALID_ARGUMENT, RPC_ERROR, ABORTED
 */
export async function fetchBinding(
  options: ChainOptions & { readonly mint: Address },
): Promise<MintBinding | null> {
  const chain = chainWith(options, ['mint']);
  const { mint, signal } = options;
  const address = await programAddresses(chain.deployment.program).mintBinding(mint);
  const found = await callRpc('Reading the mint binding', signal, () =>
    readAccount(readerOf(chain, signal), 'mintBinding', address),
  );
  return found && bindingRecordOf(found);
}
