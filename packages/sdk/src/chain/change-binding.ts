import { programAddresses, SYSTEM_PROGRAM } from '@service/protocol';
import {
  getAcceptIssuerInstruction,
  getAnnounceRuleInstruction,
  getApplyRuleInstruction,
  getNominateIssuerInstruction,
} from '@service/protocol/generated';
import { type Address, createNoopSigner } from '@solana/kit';
import { checkAddresses, invalidArgument } from '../lib/check-arguments.ts';
import { accountNotFound, readChainTime, readFinalAccount } from '../rpc/accounts.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { type MintOptions, otherWallet, readAsIssuer, readBoundMint } from './bound-mint.ts';
import type { FinalizedTransaction } from './send.ts';

/** The address of zeros, which means that none is set. */
const NONE = SYSTEM_PROGRAM;

/** Options of {@link nominateIssuer}. */
export interface NominateIssuerOptions extends MintOptions {
  /** Base58 address of the next issuer, or null to withdraw a nomination. */
  readonly nominee: Address | null;
}

/**
 * Nominates the next issuer of a bound mint, as the issuer. Nothing else changes until the nominee calls
 * {@link acceptIssuer}. Resolves when finalized.
 *
 * @throws ServiceError INVALID_ARGUMENT (also for another wallet than the issuer's), GENESIS_HASH_MISMATCH,
 *   ACCOUNT_NOT_FOUND if the mint is not bound, WALLET_REJECTED, WALLET_CHANGED_TRANSACTION, RPC_ERROR, TRANSACTION_FAILED
 * @example
 * await nominateIssuer(wallet, { deployment, mint, nominee: holder.address });
 */
export async function nominateIssuer(
  wallet: Wallet,
  options: NominateIssuerOptions,
): Promise<FinalizedTransaction> {
  const rest = ({ nominee }: NominateIssuerOptions) => nominee === null || checkAddresses({ nominee });
  const state = await readAsIssuer(wallet, options, { rest });
  const { nominee } = options;
  const instruction = getNominateIssuerInstruction(
    { issuer: createNoopSigner(state.wallet), mintBinding: state.binding.address, nominee },
    { programAddress: state.chain.deployment.program },
  );
  return state.send('Nominating the next issuer', instruction);
}

/**
 * Makes the wallet the issuer of a bound mint, if the issuer nominated it. An announced rule set is cancelled. The freeze
 * authority and other authorities of the mint stay with their holders. Resolves when finalized.
 *
 * @throws ServiceError those of {@link nominateIssuer}; INVALID_ARGUMENT if the wallet is not the nominee
 * @example
 * await acceptIssuer(wallet, { deployment, mint });
 */
export async function acceptIssuer(wallet: Wallet, options: MintOptions): Promise<FinalizedTransaction> {
  const state = await readBoundMint(wallet, options);
  const { nominee } = state.binding.data;
  if (nominee === NONE)
    throw invalidArgument('mint', 'The issuer has nominated nobody. Ask for a nomination.');
  if (nominee !== state.wallet) throw otherWallet(`The nominated issuer is ${nominee}.`);
  const { program } = state.chain.deployment;
  const instruction = getAcceptIssuerInstruction(
    {
      nominee: createNoopSigner(state.wallet),
      mintBinding: state.binding.address,
      extraAccountMetaList: await programAddresses(program).extraAccountMetaList(state.address),
    },
    { programAddress: program },
  );
  return state.send('Accepting the role of the issuer', instruction);
}

/** Options of {@link announceRule}. */
export interface AnnounceRuleOptions extends MintOptions {
  /** Address of the next rule set. The present one cancels an announcement. */
  readonly rule: Address;
}

/**
 * Announces another rule set for a bound mint, as the issuer. Seven days later, anyone can call {@link applyRule}. Holders
 * can prove for the next rule set before. Resolves when finalized.
 *
 * @throws ServiceError those of {@link nominateIssuer}; ACCOUNT_NOT_FOUND if there is no rule set at the address
 * @example
 * await announceRule(wallet, { deployment, mint, rule });
 */
export async function announceRule(
  wallet: Wallet,
  options: AnnounceRuleOptions,
): Promise<FinalizedTransaction> {
  const state = await readAsIssuer(wallet, options, { addresses: ['rule'] });
  const { rule, signal } = options;
  const { chain, binding } = state;
  if (!(await readFinalAccount(chain, 'ruleSet', rule, signal))) {
    throw accountNotFound('rule set of this program', rule);
  }
  const instruction = getAnnounceRuleInstruction(
    { issuer: createNoopSigner(state.wallet), mintBinding: binding.address, ruleSet: rule },
    { programAddress: chain.deployment.program },
  );
  return state.send('Announcing the rule set', instruction);
}

/**
 * Gives a bound mint the rule set that its issuer announced at least seven days ago. Any wallet can do this. From then on,
 * transfers and issues require passes for this rule set. Resolves when finalized.
 *
 * @throws ServiceError those of {@link nominateIssuer}; INVALID_ARGUMENT if no rule set is announced, or if it is too early
 * @example
 * await applyRule(wallet, { deployment, mint });
 */
export async function applyRule(wallet: Wallet, options: MintOptions): Promise<FinalizedTransaction> {
  const state = await readBoundMint(wallet, options);
  const { chain, binding } = state;
  const { nextRule, nextRuleFrom } = binding.data;
  if (nextRule === NONE)
    throw invalidArgument(
      'mint',
      'No other rule set is announced for the mint. Its issuer can announce one with announceRule.',
    );
  const chainTime = await readChainTime(chain, options.signal);
  if (chainTime < nextRuleFrom) {
    throw invalidArgument(
      'mint',
      `The announced rule set can be applied from ${nextRuleFrom} on (Unix seconds; the chain time is ${chainTime}). Wait until then.`,
    );
  }
  const { program } = chain.deployment;
  const instruction = getApplyRuleInstruction(
    {
      mintBinding: binding.address,
      extraAccountMetaList: await programAddresses(program).extraAccountMetaList(state.address),
    },
    { programAddress: program },
  );
  return state.send('Applying the announced rule set', instruction);
}
