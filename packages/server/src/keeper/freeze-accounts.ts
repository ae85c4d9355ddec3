/**
 * Freezes the thawed token accounts of one wallet, each in its own transaction. A wallet can spread its tokens over thousands of
 * accounts, so those with the most tokens come first, and those that cannot be frozen do not hold up the others.
 */
import {
  decodeTokenAccount,
  decodeTransactionError,
  freezeWithoutPassInstruction,
  TOKEN_2022_PROGRAM,
  TOKEN_ACL_PROGRAM,
} from '@service/protocol';
import { RULE_SET_PASS_ERROR__PASS_LIVE } from '@service/protocol/generated';
import type { Address } from '@solana/kit';
import { buildPaidTransaction, chainRefusal, sendPaidTransaction } from '../paid-transaction.ts';
import { RpcAnswerError } from '../rpc/answers.ts';
import type { Service } from '../service.ts';
import { reserveFee } from './budget.ts';
import type { DueHolder } from './due-holders.ts';

/** Token accounts of one wallet that one attempt freezes at most. */
const AT_ONCE = 16;
/** Token accounts of one wallet that one attempt tries at most: some may be rejected, or frozen since the finalized state. */
const TRIES = 3 * AT_ONCE;

/** Error of Token-2022 for an account that is frozen already. The finalized state does not show it yet. */
const INVALID_STATE = 13;

/** Rejections of an account that nobody has to freeze any more: its owner has a live pass again, or it is frozen. */
const NOTHING_TO_FREEZE: readonly (number | undefined)[] = [RULE_SET_PASS_ERROR__PASS_LIVE, INVALID_STATE];

/** What was done for a token account. UNPAID: the budget of the day is spent. */
type Outcome = 'SENT' | 'NOTHING' | 'REFUSED' | 'UNPAID';

/**
 * Freezes the thawed token accounts of a wallet. Returns what was done for each that it tried; nothing if the wallet has none.
 * `minSlot` is the oldest finalized slot to read them at. Throws the RPC's errors.
 */
export async function freezeAccounts(
  service: Service,
  holder: DueHolder,
  { minSlot, signal }: { readonly minSlot: bigint; readonly signal: AbortSignal },
): Promise<readonly Outcome[]> {
  const thawed = await readThawed(service, holder, minSlot, signal);
  // After an attempt in which some were rejected, this one begins with others.
  const start = ((holder.attempts - 1) * TRIES) % thawed.length;
  const rest = [...thawed.slice(start), ...thawed.slice(0, start)].slice(0, TRIES);
  const outcomes: Outcome[] = [];
  const countSent = () => outcomes.filter((outcome) => outcome === 'SENT').length;
  while (rest.length > 0 && countSent() < AT_ONCE && !outcomes.includes('UNPAID')) {
    const some = rest.splice(0, AT_ONCE - countSent());
    outcomes.push(...(await Promise.all(some.map((account) => freeze(service, holder, account, signal)))));
  }
  return outcomes;
}

/** Returns the thawed token accounts of a wallet at finalized, those with the most tokens first. */
async function readThawed(
  { rpc }: Service,
  { mint, wallet }: DueHolder,
  minContextSlot: bigint,
  abortSignal: AbortSignal,
): Promise<Address[]> {
  const form = { commitment: 'finalized', encoding: 'base64', minContextSlot } as const;
  const { value } = await rpc.getTokenAccountsByOwner(wallet, { mint }, form).send({ abortSignal });
  const thawed = value.flatMap(({ pubkey, account }) => {
    const isOfToken = account.owner === TOKEN_2022_PROGRAM;
    const token = isOfToken ? decodeTokenAccount(Buffer.from(account.data[0], 'base64')) : null;
    if (token?.mint !== mint || token.owner !== wallet) {
      throw new RpcAnswerError('getTokenAccountsByOwner', 'has another account than those of the request');
    }
    return token.frozen ? [] : [{ pubkey, amount: token.amount }];
  });
  return thawed.sort((one, other) => Number(other.amount - one.amount)).map(({ pubkey }) => pubkey);
}

async function freeze(
  service: Service,
  { mint, wallet, rule }: DueHolder,
  tokenAccount: Address,
  signal: AbortSignal,
): Promise<Outcome> {
  const { feePayer, log, settings } = service;
  const { program } = settings;
  const gated = { caller: feePayer.address, mint, tokenAccount, owner: wallet, rule };
  const instructions = [await freezeWithoutPassInstruction(program, gated)];
  const { wire, error } = await buildPaidTransaction(service, instructions, signal);
  if (!error) {
    if (!(await reserveFee(service, 'FREEZE'))) return 'UNPAID';
    await sendPaidTransaction(service, wire, signal);
    return 'SENT';
  }
  // Token ACL passes on the errors of the program and of Token-2022.
  const failed = { action: 'CREDENTIAL', program, programs: [TOKEN_ACL_PROGRAM] } as const;
  if (NOTHING_TO_FREEZE.includes(decodeTransactionError(failed, error).programError?.code)) return 'NOTHING';
  const { reason } = chainRefusal(error, service, [TOKEN_ACL_PROGRAM]);
  log.warn({ mint, tokenAccount, reason }, 'a token account could not be frozen; it will be retried');
  return 'REFUSED';
}
