/** Wallets, or pages that act as one, which change what they were asked to sign. */
import { type AccountMeta, AccountRole, address, createNoopSigner } from '@solana/kit';
import { getAdvanceNonceAccountInstruction, getTransferSolInstruction } from '@solana-program/system';
import { compileMessage, type Message, type MessageInstruction } from '../transaction-message.ts';
import { computeLimit, computePrice, isBudget } from './compute-budget.ts';
import { accountAssertions, guard } from './guards.ts';
import type { WalletRow } from './kinds.ts';
import { withLookupTable } from './message.ts';
import type { Answer, Prompt } from './prompt.ts';

const SYSTEM_PROGRAM = address('11111111111111111111111111111111');
const MEMO_PROGRAM = address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');
const TOKEN_PROGRAMS: readonly string[] = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
];
/** Numbers of the two instructions of the token programs that transfer. */
const TOKEN_TRANSFERS = { transfer: 3, transferChecked: 12 } as const;
const MAX_U64 = 2n ** 64n - 1n;
/** Less than any operation needs. */
const TINY_LIMIT = 1_000;
/** A whole SOL for a million compute units. */
const HUGE_PRICE = 1_000_000_000n;

/** Wallets that change, repeat or withhold a transaction, by id. */
export const HOSTILE_WALLETS = {
  'other-amount': {
    label: 'A wallet that changes the amount',
    does: 'Doubles the amount of a transfer, or changes the last byte of another action.',
    answer: changed(({ message }) => withAction(message, withOtherAmount)),
  },
  'other-destination': {
    label: 'A wallet that changes the destination',
    does: 'Replaces the destination of a transfer, or the last account of another action.',
    answer: changed(({ message, settings }) =>
      withAction(message, (action) => ({
        ...action,
        accounts: action.accounts.map((meta, index) =>
          index === destinationOf(action) ? { ...meta, address: settings.accomplice } : meta,
        ),
      })),
    ),
  },
  'extra-instruction': {
    label: 'A wallet that adds a transfer',
    does: 'Adds a transfer of one lamport to somebody else.',
    answer: changed((prompt) => withMore(prompt, drain(prompt))),
  },
  'second-memo': {
    label: 'A wallet that adds a memo',
    does: 'Adds a second memo.',
    answer: changed((prompt) =>
      withMore(prompt, {
        programAddress: MEMO_PROGRAM,
        accounts: [],
        data: new TextEncoder().encode('a second memo'),
      }),
    ),
  },
  'promoted-accounts': {
    label: 'A wallet that makes accounts writable',
    does: 'Makes the readonly accounts of the action writable, or adds a guard with a writable account.',
    answer: changed(promoted),
  },
  'lookup-table': {
    label: 'A wallet that uses a lookup table',
    does: 'Adds an address lookup table.',
    answer: ({ sign, message, settings }) =>
      sign(withLookupTable(compileMessage(message), settings.accomplice)),
  },
  'failing-guard': {
    label: 'A wallet with a guard that fails',
    does: 'Adds a guard that never holds, so that the transaction fails and costs its fee.',
    answer: changed((prompt) =>
      withMore(prompt, guard('account', prompt.wallet, [accountAssertions.lamportsAtLeast(MAX_U64)])),
    ),
  },
  'tiny-limit': {
    label: 'A wallet with a tiny compute limit',
    does: 'Sets a compute limit that is too low, so that the transaction fails and costs its fee.',
    answer: changed(({ message }) => withBudget(message, computeLimit(TINY_LIMIT))),
  },
  'huge-price': {
    label: 'A wallet with a huge price',
    does: 'Sets a price of compute units that costs more than any cap.',
    answer: changed(({ message }) => withBudget(message, computePrice(HUGE_PRICE))),
  },
  'durable-nonce': {
    label: 'A wallet that uses a durable nonce',
    does: 'Replaces the blockhash with a durable nonce, so that the transaction does not expire.',
    answer: changed(({ wallet, message, settings: { nonce } }) => ({
      ...message,
      blockhash: nonce.value,
      instructions: [advanceNonce(wallet, nonce.account), ...message.instructions],
    })),
  },
  'returns-changed-sends-original': {
    label: 'A wallet that also sends the original',
    does: 'Returns the transaction with a guard, and sends the unchanged one itself.',
    needsRpc: true,
    answer: async (prompt) => {
      await prompt.send(await prompt.signOriginal());
      return prompt.sign(withMore(prompt, harmlessGuard(prompt)));
    },
  },
  'returns-original-sends-changed': {
    label: 'A wallet that sends a changed transaction',
    does: 'Returns the unchanged transaction, and sends one with a guard itself.',
    needsRpc: true,
    answer: async (prompt) => {
      await prompt.send(await prompt.sign(withMore(prompt, harmlessGuard(prompt))));
      return prompt.signOriginal();
    },
  },
  'answers-late': {
    label: 'A wallet that answers late',
    does: 'Signs unchanged, but only when the test calls answer(), for example after the site aborted.',
    answer: async (prompt) => {
      await prompt.released;
      return prompt.signOriginal();
    },
  },
  'signs-twice': {
    label: 'A wallet that signs twice',
    does: 'Signs two transactions with different guards and returns one of them. Both could land.',
    answer: async (prompt) => {
      await prompt.sign(
        withMore(prompt, guard('account', prompt.wallet, [accountAssertions.lamportsAtLeast(0n)])),
      );
      return prompt.sign(withMore(prompt, harmlessGuard(prompt)));
    },
  },
} as const satisfies Readonly<Record<string, WalletRow>>;

function changed(change: (prompt: Prompt) => Message): Answer {
  return (prompt) => prompt.sign(change(prompt));
}

/** The last instruction that is neither memo nor budget: the action, if nothing was added yet. */
function withAction(message: Message, change: (action: MessageInstruction) => MessageInstruction): Message {
  const index = message.instructions.findLastIndex(
    (instruction) => instruction.programAddress !== MEMO_PROGRAM && !isBudget(instruction),
  );
  return {
    ...message,
    instructions: message.instructions.map((each, at) => (at === index ? change(each) : each)),
  };
}

const withMore = ({ message }: Prompt, more: MessageInstruction): Message => ({
  ...message,
  instructions: [...message.instructions, more],
});

const withBudget = (message: Message, budget: MessageInstruction): Message => ({
  ...message,
  instructions: [budget, ...message.instructions.filter((each) => !isBudget(each))],
});

/** Returns the offset of the amount, a number of eight bytes, or null for another instruction. */
function amountOffset({ programAddress, data }: MessageInstruction): number | null {
  if (programAddress === SYSTEM_PROGRAM && data[0] === 2 && data.length === 12) return 4;
  if (!TOKEN_PROGRAMS.includes(programAddress)) return null;
  return Object.values(TOKEN_TRANSFERS).includes(data[0] as never) ? 1 : null;
}

function withOtherAmount(action: MessageInstruction): MessageInstruction {
  const data = action.data.slice();
  const offset = amountOffset(action);
  const view = new DataView(data.buffer);
  if (offset === null) view.setUint8(data.length - 1, data.at(-1)! ^ 1);
  else view.setBigUint64(offset, view.getBigUint64(offset, true) * 2n, true);
  return { ...action, data };
}

function destinationOf(action: MessageInstruction): number {
  if (amountOffset(action) === null) return action.accounts.length - 1;
  return action.data[0] === TOKEN_TRANSFERS.transferChecked ? 2 : 1;
}

function promoted(prompt: Prompt): Message {
  let isChanged = false;
  const promote = (meta: AccountMeta): AccountMeta => {
    if (meta.role !== AccountRole.READONLY) return meta;
    isChanged = true;
    return { ...meta, role: AccountRole.WRITABLE };
  };
  const message = withAction(prompt.message, (action) => ({
    ...action,
    accounts: action.accounts.map(promote),
  }));
  if (isChanged) return message;
  const writing = harmlessGuard(prompt);
  const accounts = [{ address: prompt.settings.accomplice, role: AccountRole.WRITABLE }];
  return withMore(prompt, { ...writing, accounts });
}

/** A guard that holds for every fee payer. */
const harmlessGuard = ({ wallet }: Prompt): MessageInstruction =>
  guard('account', wallet, [accountAssertions.owner(SYSTEM_PROGRAM)]);

const drain = ({ wallet, settings }: Prompt): MessageInstruction =>
  plain(
    getTransferSolInstruction({
      source: createNoopSigner(wallet),
      destination: settings.accomplice,
      amount: 1n,
    }),
  );

const advanceNonce = (wallet: Prompt['wallet'], nonceAccount: Prompt['wallet']): MessageInstruction =>
  plain(getAdvanceNonceAccountInstruction({ nonceAccount, nonceAuthority: createNoopSigner(wallet) }));

/** Drops the signers from the accounts of an instruction: the wallet signs the whole transaction. */
function plain(instruction: {
  readonly programAddress: MessageInstruction['programAddress'];
  readonly accounts: readonly AccountMeta[];
  readonly data: ArrayLike<number>;
}): MessageInstruction {
  return {
    programAddress: instruction.programAddress,
    accounts: instruction.accounts.map(({ address: key, role }) => ({ address: key, role })),
    data: Uint8Array.from(instruction.data),
  };
}
