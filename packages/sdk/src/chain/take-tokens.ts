import { REMOVAL_REASONS, type RemovalReason, removalCode } from '@service/contract/removal-reasons';
import { programAddresses, TOKEN_2022_PROGRAM } from '@service/protocol';
import { getRecoverInstruction, getRedeemInstruction } from '@service/protocol/generated';
import { type Address, createNoopSigner, type Instruction } from '@solana/kit';
import { invalidArgument } from '../lib/check-arguments.ts';
import { accountNotFound, readFinalAccount } from '../rpc/accounts.ts';
import { U64_MAX } from '../rpc/amount.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { type BoundMintState, type MintOptions, otherWallet, readAsTaker } from './bound-mint.ts';
import { freezing } from './freeze.ts';
import type { FinalizedTransaction } from './send.ts';

/** Options of {@link redeem}. */
export interface RedeemOptions extends MintOptions {
  /** Base58 address of the token account that loses the tokens. Its owner does not sign. */
  readonly source: Address;
  /** Base units, 1 to 2^64 - 1. */
  readonly amount: bigint;
  /** Why. The chain records it, and everybody can see it. */
  readonly reason: RemovalReason;
}

/** Options of {@link recover}. */
export interface RecoverOptions extends RedeemOptions {
  /** Base58 address of the token account that receives as many. Its owner needs a live pass. */
  readonly destination: Address;
}

/**
 * Takes tokens from one token account and gives as many to another one, as the issuer and without the owner: for a holder
 * who lost a key, or by order of a court. Only a mint of the templates `security` and `fund` has this power. If the source
 * is frozen and the wallet is the freeze authority, the transaction thaws it before and freezes it again. Resolves when
 * finalized.
 *
 * @throws ServiceError INVALID_ARGUMENT (also for another wallet than the issuer's, and for a mint without this power),
 *   GENESIS_HASH_MISMATCH, ACCOUNT_NOT_FOUND, WALLET_REJECTED, WALLET_CHANGED_TRANSACTION, RPC_ERROR, TRANSACTION_FAILED
 * @example
 * await recover(wallet, { deployment, mint, source, destination, amount: 500n, reason: 'lost-key' });
 */
export async function recover(wallet: Wallet, options: RecoverOptions): Promise<FinalizedTransaction> {
  const check = { addresses: ['source', 'destination'], rest: checkOrder } as const;
  const state = await readAsTaker(wallet, options, check);
  const { source, destination, amount } = options;
  const reason = removalCode(options.reason);
  const { chain, binding, address: mint } = state;
  const { program } = chain.deployment;
  const at = programAddresses(program);
  const { owner } = await readTokenAccount(state, destination, options.signal);
  const [config, pass, credential] = await Promise.all([
    at.config(),
    at.pass(binding.data.rule, owner),
    at.credential(owner),
  ]);
  const instruction = getRecoverInstruction(
    {
      issuer: createNoopSigner(state.wallet),
      config,
      mintBinding: binding.address,
      mint,
      source,
      destination,
      pass,
      credential,
      tokenProgram: TOKEN_2022_PROGRAM,
      amount,
      reason,
    },
    { programAddress: program },
  );
  return state.send('Recovering tokens', ...(await thawedFor(state, options, instruction)));
}

/**
 * Burns tokens of a token account, as the issuer and without the owner. Only a mint of the templates `security` and `fund`
 * has this power. A frozen source is thawed and frozen again, as in {@link recover}. Resolves when finalized.
 *
 * @throws ServiceError those of {@link recover}
 * @example
 * await redeem(wallet, { deployment, mint, source, amount: 500n, reason: 'redemption' });
 */
export async function redeem(wallet: Wallet, options: RedeemOptions): Promise<FinalizedTransaction> {
  const state = await readAsTaker(wallet, options, { addresses: ['source'], rest: checkOrder });
  const { source, amount } = options;
  const reason = removalCode(options.reason);
  const { program } = state.chain.deployment;
  const instruction = getRedeemInstruction(
    {
      issuer: createNoopSigner(state.wallet),
      config: await programAddresses(program).config(),
      mintBinding: state.binding.address,
      mint: state.address,
      source,
      tokenProgram: TOKEN_2022_PROGRAM,
      amount,
      reason,
    },
    { programAddress: program },
  );
  return state.send('Redeeming tokens', ...(await thawedFor(state, options, instruction)));
}

function checkOrder({ amount, reason }: RedeemOptions): void {
  if (typeof amount !== 'bigint' || amount <= 0n || amount > U64_MAX) {
    throw invalidArgument('amount', 'amount must be a bigint of base units above zero and below 2^64.');
  }
  if (!REMOVAL_REASONS.includes(reason)) {
    throw invalidArgument('reason', `reason must be one of ${REMOVAL_REASONS.join(', ')}.`);
  }
}

async function readTokenAccount(
  { chain, address: mint }: BoundMintState,
  address: Address,
  signal: AbortSignal | undefined,
) {
  const found = await readFinalAccount(chain, 'tokenAccount', address, signal);
  if (found?.data.mint !== mint) throw accountNotFound(`token account of the mint ${mint}`, address);
  return found.data;
}

/** Returns the instruction, between a thaw and a freeze if the source is frozen. */
async function thawedFor(
  state: BoundMintState,
  { source, amount, signal }: RedeemOptions,
  instruction: Instruction,
): Promise<Instruction[]> {
  const account = await readTokenAccount(state, source, signal);
  if (account.amount < amount) {
    throw invalidArgument(
      'amount',
      `The token account ${source} has ${account.amount} base units. Take no more.`,
    );
  }
  if (!account.frozen) return [instruction];
  const { freezeAuthority } = state.mint;
  if (freezeAuthority !== state.wallet) {
    throw otherWallet(`The token account ${source} is frozen, and only ${freezeAuthority} can thaw it.`);
  }
  return [freezing(state, source, 'thaw'), instruction, freezing(state, source, 'freeze')];
}
