/** Edits of the instructions of a prepared transaction: its memo and its action. */
import type { OperationKind } from '@service/contract';
import { END_GRANT_INSTRUCTION, REDEEM_INSTRUCTION } from '@service/protocol/generated';
import { AccountRole, type Address, createNoopSigner } from '@solana/kit';
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

/** Returns an action whose data begin with a number and a u64, with another u64: an amount in base units, or a time. */
export function withAmount(
  action: MessageInstruction,
  change: (amount: bigint) => bigint,
): MessageInstruction {
  const data = action.data.slice();
  const view = new DataView(data.buffer);
  view.setBigUint64(1, change(view.getBigUint64(1, true)), true);
  return { ...action, data };
}

/** Returns a proof that takes another place of the person, or one that replaces another wallet if it takes none. */
export const otherPlace: Edit = (action) => {
  const { accounts, data } = action;
  if (accounts.length > PLACE_ACCOUNT)
    return withAccount({ ...action, data: data.with(-33, data.at(-33)! ^ 1) }, PLACE_ACCOUNT, {
      address: UNKNOWN_ADDRESS,
    });
  const meta = { address: UNKNOWN_ADDRESS, role: AccountRole.WRITABLE };
  return {
    ...action,
    accounts: [...accounts, meta, meta, meta],
    data: Uint8Array.of(...data, ...new Uint8Array(33)),
  };
};

/** The index of the place in the accounts of a proof. */
const PLACE_ACCOUNT = 8;

/** Returns the opposite of an act of an issuer: burns what it should give, or lifts and ends what it should begin. */
export const opposite: Edit = (action, kind) => {
  const [first, second, third, fourth, fifth, ...rest] = action.accounts;
  switch (kind) {
    case 'RECOVER': {
      // All accounts but the destination, its pass and its credential.
      const accounts = [first!, second!, third!, fourth!, fifth!, rest.at(-1)!];
      return { ...action, accounts, data: Uint8Array.of(REDEEM_INSTRUCTION, ...action.data.slice(1)) };
    }
    case 'SUSPEND':
      return withAmount(action, () => 0n);
    case 'GRANT': {
      const [creator, config, ruleSet, pass] = [first!, second!, third!, fifth!];
      const accounts = [creator, pass, { ...ruleSet, role: AccountRole.READONLY }, creator, config];
      return { ...action, accounts, data: Uint8Array.of(END_GRANT_INSTRUCTION) };
    }
    default:
      throw new RangeError(`${kind} has no opposite.`);
  }
};
