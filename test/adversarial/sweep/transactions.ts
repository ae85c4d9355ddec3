/** Edits of the prepared transaction: its instructions, accounts, keys and bytes (SPEC.md section 4). */
import { MAINNET_GENESIS_HASH } from '@service/contract';
import { MEMO_PROGRAM, memoText, SYSTEM_PROGRAM } from '@service/protocol';
import {
  addInstruction,
  type CompiledMessage,
  changeTransaction,
  drain,
  readCompiled,
  type TransactionEdit,
  UNKNOWN_ADDRESS,
  withAccount,
  writeCompiled,
  writeDraft,
  writeWire,
} from '@service/testing/edits';
import {
  type AccountMeta,
  AccountRole,
  type Address,
  address,
  getAddressEncoder,
  getBase64Encoder,
  getProgramDerivedAddress,
} from '@solana/kit';
import { add, double, drop, OTHER_ID, swap } from './kinds.ts';
import { cases, combined, type SweepMode } from './row.ts';

const MISMATCH = { category: 'prepare', call: 'signAndSubmit', code: 'PREPARED_MISMATCH' } as const;
const COMPUTE_BUDGET = address('ComputeBudget111111111111111111111111111111');
const OLD_MEMO_PROGRAM = address('Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo');
const LOOKUP_TABLE = address('AddressLookupTab1e1111111111111111111111111');

type Instruction = ReturnType<typeof drain>;
type Instructions = readonly Instruction[];

const transactions = (
  table: Readonly<Record<string, TransactionEdit>>,
  code: SweepMode['code'] = MISMATCH.code,
) => cases({ ...MISMATCH, code }, (edit) => changeTransaction(edit), table);

const memoOf = (text: string): Instruction => ({
  programAddress: MEMO_PROGRAM,
  accounts: [],
  data: new TextEncoder().encode(text),
});
const computeBudget =
  (...data: number[]) =>
  (): Instruction => ({ programAddress: COMPUTE_BUDGET, accounts: [], data: Uint8Array.from(data) });

/** Other instructions than the memo, which is the first, and the action. */
const inInstructions =
  (edit: (instructions: Instructions, wallet: Address) => Instructions): TransactionEdit =>
  (draft) => ({ ...draft, instructions: [...edit(draft.instructions, draft.feePayer)] });

const inMemo = (edit: (memo: Instruction, text: string, wallet: Address) => Instruction): TransactionEdit =>
  inInstructions(([memo, action], wallet) => [
    edit(memo!, new TextDecoder().decode(memo!.data), wallet),
    action!,
  ]);
const inAction = (edit: (action: Instruction) => Instruction): TransactionEdit =>
  inInstructions(([memo, action]) => [memo!, edit(action!)]);

const withMore = (role: AccountRole) =>
  inAction((action) => ({ ...action, accounts: [...action.accounts, { address: UNKNOWN_ADDRESS, role }] }));

/** Selects the accounts of the action that can be changed, and the change of one of them. */
type AccountEdit = readonly [
  canChange: (meta: AccountMeta, index: number, action: Instruction) => boolean,
  change: (action: Instruction, index: number) => Instruction,
];

const withRole =
  (roleOf: (role: AccountRole) => AccountRole): AccountEdit[1] =>
  (action, index) =>
    withAccount(action, index, { role: roleOf(action.accounts[index]!.role) });

/** Edits of each account of the action in turn. */
const ACCOUNT_EDITS: Readonly<Record<string, AccountEdit>> = {
  'account-replaced': [
    () => true,
    (action, index) => withAccount(action, index, { address: UNKNOWN_ADDRESS }),
  ],
  'account-writable-flag': [
    // A message can only declare a program that it calls as readonly.
    ({ address }, _index, { programAddress }) => address !== programAddress,
    withRole((role) => role ^ AccountRole.WRITABLE),
  ],
  'account-signer-flag': [() => true, withRole((role) => role | AccountRole.READONLY_SIGNER)],
  'accounts-swapped': [
    (meta, index, { accounts }) => (accounts[index + 1] ?? meta).address !== meta.address,
    (action, index) => ({ ...action, accounts: swap(action.accounts, index) }),
  ],
  'account-dropped': [() => true, (action, index) => ({ ...action, accounts: drop(action.accounts, index) })],
  'account-doubled': [
    () => true,
    (action, index) => ({ ...action, accounts: double(action.accounts, index) }),
  ],
};

/** Changes the account that `at` selects among those that can be changed. */
const inAccount = ([canChange, change]: AccountEdit, at: number) =>
  changeTransaction((draft) => {
    const [memo, action] = draft.instructions as [Instruction, Instruction];
    const indexes = action.accounts.flatMap((meta, index) =>
      // The wallet pays, so it signs and is writable whatever an instruction says.
      meta.address !== draft.feePayer && canChange(meta, index, action) ? [index] : [],
    );
    const index = indexes[at];
    return index === undefined ? null : { ...draft, instructions: [memo, change(action, index)] };
  });

/** Changes the bytes of the transaction: the count of signatures, 64 bytes for each, the message. */
const inBytes =
  (change: (wire: Uint8Array) => Iterable<number>): TransactionEdit =>
  (_draft, { transaction }) =>
    writeWire(Uint8Array.from(change(new Uint8Array(getBase64Encoder().encode(transaction)))));

/** Changes the compiled message. */
const inCompiled =
  (change: (compiled: CompiledMessage) => CompiledMessage | null): TransactionEdit =>
  (_draft, { transaction }) => {
    const changed = change(readCompiled(transaction));
    return changed && writeCompiled(changed);
  };

/** Reorders the accounts of a message; `order` lists their present indexes. */
function reorder(compiled: CompiledMessage, order: readonly number[]): CompiledMessage {
  const moved = (index: number) => order.indexOf(index);
  return {
    ...compiled,
    staticAccounts: order.map((index) => compiled.staticAccounts[index]!),
    instructions: compiled.instructions.map((instruction) => ({
      ...instruction,
      programAddressIndex: moved(instruction.programAddressIndex),
      ...(instruction.accountIndices && { accountIndices: instruction.accountIndices.map(moved) }),
    })),
  };
}

/** Adds to the number of readonly accounts that do not sign. */
const countReadonly = ({ header }: CompiledMessage, more: number) => ({
  header: { ...header, numReadonlyNonSignerAccounts: header.numReadonlyNonSignerAccounts + more },
});

/** Moves a readonly account of the action, which no instruction calls, into a look-up table. */
function moveToLookupTable(compiled: CompiledMessage): CompiledMessage | null {
  const { staticAccounts, header, instructions } = compiled;
  const programs = instructions.map(({ programAddressIndex }) => programAddressIndex);
  const firstReadonly = staticAccounts.length - header.numReadonlyNonSignerAccounts;
  const moved = instructions[1]!.accountIndices?.find(
    (index) => index >= firstReadonly && !programs.includes(index),
  );
  if (moved === undefined) return null;
  const others = [...staticAccounts.keys()].filter((index) => index !== moved);
  // Accounts of look-up tables are numbered after the static ones.
  const last = reorder(compiled, [...others, moved]);
  return {
    ...last,
    ...countReadonly(last, -1),
    staticAccounts: last.staticAccounts.slice(0, -1),
    addressTableLookups: [{ lookupTableAddress: LOOKUP_TABLE, writableIndexes: [], readonlyIndexes: [0] }],
  };
}

/** Instructions that the caller did not ask for, and where they are added. */
const UNWANTED = {
  instruction: drain,
  'priority-fee': computeBudget(3, 255, 255, 255, 255, 0, 0, 0, 0),
  'compute-limit': computeBudget(2, 64, 66, 15, 0),
  'memo-of-the-service': () => memoOf('thank you'),
};
const PLACES = { before: 0, between: 1, after: 2 };

export const TRANSACTIONS_SWEEP: readonly SweepMode[] = [
  ...cases(
    MISMATCH,
    ([index, make]) => addInstruction(index, make),
    combined(UNWANTED, PLACES, (make, index) => [index, make] as const),
  ),
  ...transactions({
    'instruction-instead': inInstructions(([memo], wallet) => [memo!, drain(wallet)]),
    'memo-missing': inInstructions((all) => drop(all, 0)),
    'action-missing': inInstructions((all) => drop(all, 1)),
    'memo-twice': inInstructions((all) => double(all, 0)),
    'action-twice': inInstructions((all) => double(all, 1)),
    'memo-moved': inInstructions((all) => swap(all, 0)),
    'memo-of-another': inMemo(() => memoOf(memoText(OTHER_ID.replace(/0$/, '1')))),
    'memo-of-another-version': inMemo((_, text) => memoOf(text.replace(':v1:', ':v2:'))),
    'memo-in-capitals': inMemo((_, text) => memoOf(text.toUpperCase())),
    'memo-with-suffix': inMemo((_, text) => memoOf(`${text} `)),
    'memo-cut': inMemo((_, text) => memoOf(text.slice(0, -1))),
    'memo-of-another-program': inMemo((memo) => ({ ...memo, programAddress: OLD_MEMO_PROGRAM })),
    'memo-signed': inMemo((memo, _, wallet) => ({
      ...memo,
      accounts: [{ address: wallet, role: AccountRole.READONLY_SIGNER }],
    })),
    'other-program': inAction((action) => ({ ...action, programAddress: SYSTEM_PROGRAM })),
    'data-longer': inAction((action) => ({ ...action, data: Uint8Array.from([...action.data, 0]) })),
    'data-shorter': inAction((action) => ({ ...action, data: action.data.slice(0, -1) })),
    'data-missing': inAction((action) => ({ ...action, data: new Uint8Array() })),
    'extra-signer': withMore(AccountRole.READONLY_SIGNER),
    'extra-account': withMore(AccountRole.READONLY),
    'account-missing': inAction((action) => ({ ...action, accounts: action.accounts.slice(0, -1) })),
    'accounts-missing': inAction((action) => ({ ...action, accounts: [] })),
  }),
  ...cases({ ...MISMATCH, isOfAccounts: true }, inAccount, ACCOUNT_EDITS),
  ...transactions({
    'keys-in-other-order': inCompiled((compiled) => {
      // The last two keys are of one class: readonly, and no signers. The meaning is the same.
      const indexes = [...compiled.staticAccounts.keys()];
      return reorder(compiled, swap(indexes, indexes.length - 2));
    }),
    // The message lists an account that nothing uses.
    'unused-key': inCompiled((compiled) => ({
      ...compiled,
      ...countReadonly(compiled, 1),
      staticAccounts: [...compiled.staticAccounts, UNKNOWN_ADDRESS],
    })),
    'account-in-lookup-table': inCompiled(moveToLookupTable),
    'other-fee-payer': (draft) => ({ ...draft, feePayer: UNKNOWN_ADDRESS }),
    'legacy-message': (draft) => ({ ...draft, version: 'legacy' }),
    'v1-message': (draft) => ({ ...draft, version: 1 }),
    'transaction-of-nothing': () => '',
    'transaction-of-zeros': () => writeWire(new Uint8Array(200)),
    'oversized-transaction': (draft) =>
      writeDraft({ ...draft, instructions: add(draft.instructions, 2, memoOf('x'.repeat(1_200))) }),
    'unknown-version': inBytes((wire) => wire.with(65, 0xff)),
    // The last byte counts the look-up tables. A table is its address and two lists of indexes.
    'unused-lookup-table': inBytes((wire) => [
      ...wire.slice(0, -1),
      1,
      ...getAddressEncoder().encode(LOOKUP_TABLE),
      ...[1, 0, 1, 1],
    ]),
    'signature-filled-in': inBytes((wire) => wire.fill(7, 1, 65)),
    'two-signatures': inBytes((wire) => [2, ...new Uint8Array(128), ...wire.slice(65)]),
    'byte-after': inBytes((wire) => [...wire, 0]),
    'byte-less': inBytes((wire) => wire.slice(0, -1)),
  }),
  ...transactions(
    {
      'blockhash-of-another-cluster': (draft) => ({ ...draft, blockhash: MAINNET_GENESIS_HASH }),
      'made-up-blockhash': async (draft) => {
        const seeds = ['blockhash'];
        const [blockhash] = await getProgramDerivedAddress({ programAddress: UNKNOWN_ADDRESS, seeds });
        return { ...draft, blockhash };
      },
    },
    'BLOCKHASH_INVALID',
  ),
];
