/** Reads records from the chain, at finalized commitment, through the caller's own RPC. */
import type { Credential, MintBinding, Pass, RuleSet } from '@service/contract';
import { clauseFromMasks } from '@service/contract/clause-masks';
import {
  type AccountOf,
  bindingRecordOf,
  credentialRecordOf,
  decodeAccount,
  type Found,
  passRecordOf,
  programAddresses,
  RENT_SYSVAR,
  ruleSetRecordOf,
  secondsLeftOf,
} from '@service/protocol';
import type { Address } from '@solana/kit';
import { passFundsBy, readChainTime, readFinalAccount, readTogether } from '../rpc/accounts.ts';
import type { Chain } from '../rpc/chain.ts';
import { type ChainOptions, chainWith } from './options.ts';

/** A pass and its remaining life by the chain time (SPEC.md section 2). */
export interface FetchedPass extends Pass {
  /** Seconds until it expires; 0 if it has expired, if governance ended it, or while it is suspended. */
  readonly secondsLeft: bigint;
}

/**
 * Returns the pass of a wallet for a rule set, or null if there is none. It is live while `secondsLeft` is above 0, by the
 * chain time and not the clock of this machine (SPEC.md section 2).
 *
 * @param options.rule base58 address of the rule set
 * @param options.wallet base58 address of the holder
 * @throws ServiceError INVALID_ARGUMENT, RPC_ERROR, ABORTED, ACCOUNT_NOT_FOUND if the RPC has no clock
 */
export async function fetchPass(
  options: ChainOptions & { readonly rule: Address; readonly wallet: Address },
): Promise<FetchedPass | null> {
  const chain = chainWith(options, ['rule', 'wallet']);
  const { rule, wallet, signal } = options;
  const at = programAddresses(chain.deployment.program);
  const found = await readFinalAccount(chain, 'pass', await at.pass(rule, wallet), signal);
  if (!found) return null;
  return fetchedPassOf(found, await readPassFacts(chain, signal));
}

/** What decides how long a pass lives. */
interface PassFacts {
  readonly config: Found<AccountOf<'config'>> | null;
  /** Unix seconds. */
  readonly chainTime: bigint;
}

/**
 * Reads what decides how long passes live. Call it after the passes are read, so that a pass that was ended meanwhile does not
 * look live.
 *
 * @throws ServiceError RPC_ERROR, ABORTED, ACCOUNT_NOT_FOUND if the RPC has no clock
 */
export async function readPassFacts(chain: Chain, signal: AbortSignal | undefined): Promise<PassFacts> {
  const address = await programAddresses(chain.deployment.program).config();
  const config = await readFinalAccount(chain, 'config', address, signal);
  return { config, chainTime: await readChainTime(chain, signal) };
}

/** Returns a pass with its remaining life. */
export function fetchedPassOf(found: Found<AccountOf<'pass'>>, facts: PassFacts): FetchedPass {
  return { ...passRecordOf(found, facts.config), secondsLeft: secondsLeftOf(found.data, facts) };
}

/**
 * Returns the rule set at an address, or null if there is none. passFunds is in lamports (SPEC.md section 2).
 *
 * @param options.rule base58 address of the rule set
 * @throws ServiceError INVALID_ARGUMENT, RPC_ERROR, ABORTED
 */
export async function fetchRuleSet(
  options: ChainOptions & { readonly rule: Address },
): Promise<RuleSet | null> {
  const chain = chainWith(options, ['rule']);
  const { rule, signal } = options;
  const { program } = chain.deployment;
  const reading = { what: 'Reading the rule set', commitment: 'finalized', signal } as const;
  return readTogether(chain, [rule, RENT_SYSVAR], reading, ([account, sysvar]) => {
    const found = decodeAccount(program, 'ruleSet', account!);
    const clauseOf = clauseFromMasks;
    return found && ruleSetRecordOf(found, { passFunds: passFundsBy(sysvar, found), clauseOf });
  });
}

/**
 * Returns the credential of a wallet, or null if it has none. Times are in Unix seconds. A wallet can prove with it while
 * it is not revoked and `expiresAt` is later than the chain time (SPEC.md section 2).
 *
 * @param options.wallet base58 address of the wallet
 * @throws ServiceError INVALID_ARGUMENT, RPC_ERROR, ABORTED
 */
export async function fetchCredential(
  options: ChainOptions & { readonly wallet: Address },
): Promise<Credential | null> {
  const chain = chainWith(options, ['wallet']);
  const { wallet, signal } = options;
  const address = await programAddresses(chain.deployment.program).credential(wallet);
  const found = await readFinalAccount(chain, 'credential', address, signal);
  return found && credentialRecordOf(found);
}

/**
 * Returns the binding of a mint, or null if it is not bound: its rule set, its issuer, and whether senders need a pass
 * too (SPEC.md section 2).
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
  const found = await readFinalAccount(chain, 'mintBinding', address, signal);
  return found && bindingRecordOf(found);
}
