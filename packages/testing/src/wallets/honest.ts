/**
 * Simulations of real wallets. Each does what was observed; a comment says where the observation ends. The table in
 * wallets.md of the package has the sources.
 */
import { address } from '@solana/kit';
import type { Message, MessageInstruction } from '../transaction-message.ts';
import { computeLimit, computePrice, isBudget, priorityFee } from './compute-budget.ts';
import { accountAssertions, guard, tokenAssertions } from './guards.ts';
import type { WalletRow } from './kinds.ts';
import { compileInOrderOfUse, countSigners, fitsTransaction } from './message.ts';
import type { Outcome, TokenAccount } from './outcome.ts';
import type { Answer, Prompt } from './prompt.ts';

/** The largest compute limit of a transaction. */
const MAX_COMPUTE_UNITS = 1_400_000;
/** The compute units of the instruction that sets the price. */
const PRICE_UNITS = 150;
const LAMPORTS_PER_SIGNATURE = 5_000n;
const MEMO_PROGRAM = address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');
const SYSTEM_PROGRAM = address('11111111111111111111111111111111');
/** The text of the memo that Seeker adds. The text of the real one was not observed. */
const SEEKER_MEMO = 'Seeker';

/** What a wallet adds to a message. */
interface Additions {
  /** Whether it sets a price besides the limit. */
  readonly setsPrice: boolean;
  /** Whether it replaces a compute budget that is there. */
  readonly overwritesBudget?: boolean;
  /** Returns the guards before and after the other instructions. */
  readonly guards: (prompt: Prompt, message: Message, outcome: Outcome) => Guards;
}

interface Guards {
  readonly before: readonly MessageInstruction[];
  readonly after: readonly MessageInstruction[];
}

/** Honest wallets, by id. */
export const HONEST_WALLETS = {
  'phantom-2026-01': {
    label: 'Phantom, before 2026-08-31',
    does: 'Adds a compute budget at the start and, on mainnet, one guard at the end.',
    needsRpc: true,
    answer: adding({
      setsPrice: true,
      guards: (prompt, _message, { token, payer }) => ({
        before: [],
        after: [token ? tokenAfter(token.after) : payerGuard(prompt, payer.after.lamports)],
      }),
    }),
  },
  'phantom-2026-08': {
    label: 'Phantom, since 2026-08-31',
    does: 'Adds a compute budget at the start and, on mainnet, three guards before the action and one at the end.',
    needsRpc: true,
    answer: adding({ setsPrice: true, guards: phantomGuards }),
  },
  solflare: {
    label: 'Solflare',
    does: 'Adds a compute limit at the start and, on mainnet, two guards at the end.',
    needsRpc: true,
    answer: adding({
      setsPrice: false,
      guards: (prompt, _message, { payer, token }) => ({
        before: [],
        after: [
          // Observed: 06 04 01 03 00 00, the fee payer belongs to the System program.
          guard('account', prompt.wallet, [accountAssertions.owner(payer.after.owner)]),
          // The second one was observed, but not its content.
          token ? tokenAfter(token.after) : payerGuard(prompt, payer.after.lamports),
        ],
      }),
    }),
  },
  seeker: {
    label: 'Seeker, and other wallets of Mobile Wallet Adapter',
    does: 'Replaces the compute budget and the blockhash, adds a guard and a memo, and reorders the addresses.',
    needsRpc: true,
    answer: async (prompt) => {
      const refreshed = { ...prompt.message, blockhash: await prompt.latestBlockhash() };
      const message = await withAdditions(prompt, refreshed, {
        setsPrice: true,
        overwritesBudget: true,
        guards: (_prompt, _message, { payer }) => ({
          before: [],
          after: [payerGuard(prompt, payer.after.lamports), seekerMemo()],
        }),
      });
      return message ? prompt.sign(compileInOrderOfUse(message)) : prompt.signOriginal();
    },
  },
  backpack: { label: 'Backpack', does: 'Changes nothing.' },
  'ledger-without-messages': {
    label: 'Ledger, through a wallet',
    does: 'Changes nothing, and signs no messages.',
    signsMessages: false,
  },
  'signs-and-sends-only': {
    label: 'A wallet that sends what it signs',
    does: 'Changes nothing, and has only solana:signAndSendTransaction for transactions.',
    signsTransactions: false,
    needsRpc: true,
  },
  'fresh-blockhash': {
    label: 'A wallet that refreshes the blockhash',
    does: 'Replaces the blockhash with the newest one.',
    needsRpc: true,
    answer: async (prompt) => prompt.sign({ ...prompt.message, blockhash: await prompt.latestBlockhash() }),
  },
} as const satisfies Readonly<Record<string, WalletRow>>;

/** Signs with additions, or unchanged if the transaction fails in the simulation. */
function adding(additions: Additions): Answer {
  return async (prompt) => {
    const message = await withAdditions(prompt, prompt.message, additions);
    return message ? prompt.sign(message) : prompt.signOriginal();
  };
}

/**
 * Adds the compute budget at the start, on every cluster, and then the guards. It leaves out what makes the transaction
 * too large. Returns null if the simulation fails.
 */
async function withAdditions(
  prompt: Prompt,
  message: Message,
  additions: Additions,
): Promise<Message | null> {
  if (message.instructions.some(isBudget) && !additions.overwritesBudget) {
    return withGuards(prompt, message, additions);
  }
  const bare = message.instructions.filter((instruction) => !isBudget(instruction));
  const roomy = { ...message, instructions: [computeLimit(MAX_COMPUTE_UNITS), ...bare] };
  const guarded = await withGuards(prompt, roomy, additions);
  const measured = guarded && (await prompt.simulate(guarded));
  if (!measured) return null;
  // A tenth more than the simulation used, because a bump or an account can change until the transaction lands.
  const limit = computeLimit(Math.ceil(measured.computeUnits * 1.1) + PRICE_UNITS);
  const price = additions.setsPrice ? [computePrice(prompt.settings.microLamports)] : [];
  const budgeted = { ...message, instructions: [limit, ...price, ...bare] };
  return withGuards(prompt, fitsTransaction(budgeted) ? budgeted : message, additions);
}

/**
 * Adds guards of the simulated outcome, on mainnet and if they fit. Returns null if the simulation fails. Those before the
 * action follow the compute budget, so they precede the memo if the memo precedes the action. Phantom was observed only with the
 * memo last, where its guards followed the compute budget too.
 */
async function withGuards(prompt: Prompt, message: Message, { guards }: Additions): Promise<Message | null> {
  const outcome = await prompt.simulate(message);
  if (!outcome || !prompt.settings.mainnet) return outcome && message;
  const { before, after } = guards(prompt, message, outcome);
  const first = message.instructions.findIndex((instruction) => !isBudget(instruction));
  const instructions = [
    ...message.instructions.slice(0, first),
    ...before,
    ...message.instructions.slice(first),
    ...after,
  ];
  const guarded = { ...message, instructions };
  return fitsTransaction(guarded) ? guarded : message;
}

/**
 * Returns the guards of Phantom since 2026-08-31. Their number, order and sizes were observed for a transfer of tokens:
 * 17, 52 and 16 bytes, then 27. The assertions are the ones of these sizes that make sense. What Phantom does for a transaction
 * without a token account of the wallet was not observed. Here it then guards the fee payer before and after.
 */
function phantomGuards(prompt: Prompt, message: Message, { payer, token }: Outcome): Guards {
  // The fee is paid before the first instruction runs.
  const fee = LAMPORTS_PER_SIGNATURE * BigInt(countSigners(message)) + priorityFee(message);
  const payerBefore = payerGuard(prompt, payer.before.lamports - fee);
  if (!token) return { before: [payerBefore], after: [payerGuard(prompt, payer.after.lamports)] };
  const { before } = token;
  return {
    before: [
      guard('token', before.address, [
        tokenAssertions.amountAtLeast(before.amount),
        tokenAssertions.delegate(before.delegate),
        ...derived(before),
      ]),
      guard('account', before.address, [
        accountAssertions.lamportsEqual(before.lamports),
        accountAssertions.owner(before.owner),
        accountAssertions.dataHash(before.data),
      ]),
      payerBefore,
    ],
    after: [tokenAfter(token.after)],
  };
}

/** Returns a guard for the tokens of the wallet after the transaction. */
function tokenAfter(account: TokenAccount): MessageInstruction {
  return guard('token', account.address, [
    tokenAssertions.amountAtLeast(account.amount),
    tokenAssertions.delegatedAmount(account.delegatedAmount),
    tokenAssertions.delegate(account.delegate),
    ...derived(account),
  ]);
}

function derived({ isDerived }: TokenAccount) {
  return isDerived ? [tokenAssertions.ownerIsDerived()] : [];
}

/** Returns a guard for the lamports of the wallet. */
function payerGuard({ wallet }: Prompt, lamports: bigint): MessageInstruction {
  return guard('account', wallet, [
    accountAssertions.lamportsAtLeast(lamports),
    accountAssertions.owner(SYSTEM_PROGRAM),
  ]);
}

function seekerMemo(): MessageInstruction {
  return { programAddress: MEMO_PROGRAM, accounts: [], data: new TextEncoder().encode(SEEKER_MEMO) };
}
