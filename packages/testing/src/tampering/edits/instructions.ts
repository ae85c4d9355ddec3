/** Edits of the instructions of a prepared transaction: its memo and its action. */
import type { OperationKind } from '@service/contract';
import { getIssueTokensInstructionDataCodec } from '@service/protocol/generated';
import { type Address, createNoopSigner } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import type { MessageInstruction } from '../../transaction-message.ts';
import { type Tamper, UNKNOWN_ADDRESS } from '../hostile-mode.ts';
import { changeTransaction } from './prepared.ts';

/** Returns another action. */
export type Edit = (action: MessageInstruction, kind: OperationKind) => MessageInstruction;

/** Changes the action of operations of some kinds. */
export const inAction = (edit: Edit, kinds?: readonly OperationKind[]): Tamper =>
  changeTransaction((draft, { kind }) => {
    const [memo, action] = draft.instructions;
    return { ...draft, instructions: [memo!, edit(action!, kind)] };
  }, kinds);

/** Adds an instruction before the one with this index. */
export const addInstruction = (index: number, make: (wallet: Address) => MessageInstruction): Tamper =>
  changeTransaction((draft) => {
    const instructions = [...draft.instructions];
    instructions.splice(index, 0, make(draft.feePayer));
    return { ...draft, instructions };
  });

/** Returns an instruction that takes SOL from a wallet. */
export const drain = (wallet: Address): MessageInstruction =>
  getTransferSolInstruction({
    source: createNoopSigner(wallet),
    destination: UNKNOWN_ADDRESS,
    amount: 1n,
  }) as never;

/** Returns an instruction with one of its accounts changed. */
export function withAccount(
  action: MessageInstruction,
  index: number,
  change: Partial<MessageInstruction['accounts'][number]>,
): MessageInstruction {
  const accounts = action.accounts.map((meta, at) => (at === index ? { ...meta, ...change } : meta));
  return { ...action, accounts };
}

/** Returns the action of ISSUE or TRANSFER with another amount. */
export function withAmount(
  action: MessageInstruction,
  kind: OperationKind,
  change: (amount: bigint) => bigint,
): MessageInstruction {
  if (kind === 'ISSUE') {
    const codec = getIssueTokensInstructionDataCodec();
    return {
      ...action,
      data: new Uint8Array(codec.encode({ amount: change(codec.decode(action.data).amount) })),
    };
  }
  // The data of Token-2022's TransferChecked: its number, the amount (u64), the decimals.
  const data = action.data.slice();
  const view = new DataView(data.buffer);
  view.setBigUint64(1, change(view.getBigUint64(1, true)), true);
  return { ...action, data };
}
