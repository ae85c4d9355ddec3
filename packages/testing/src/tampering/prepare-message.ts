/** Puts the caller's request into a transaction other than the documented one (SPEC.md section 4). */
import { MAINNET_GENESIS_HASH } from '@service/contract';
import { MEMO_PROGRAM, memoText, SYSTEM_PROGRAM } from '@service/protocol';
import {
  type AccountMeta,
  AccountRole,
  type Address,
  address,
  createNoopSigner,
  getAddressEncoder,
  getBase64Encoder,
  getProgramDerivedAddress,
} from '@solana/kit';
import { getAdvanceNonceAccountInstruction, getTransferSolInstruction } from '@solana-program/system';
import type { Message, MessageInstruction } from '../transaction-message.ts';
import { type Tampering, UNKNOWN_ADDRESS } from './hostile-mode.ts';
import { type CompiledMessage, readCompiled, writeCompiled, writeDraft, writeWire } from './message-draft.ts';
import { withAccount } from './prepare-request.ts';
import { type TransactionEdit, transactions } from './prepared-transaction.ts';
import { askService } from './responses.ts';

const COMPUTE_BUDGET = address('ComputeBudget111111111111111111111111111111');
const OLD_MEMO_PROGRAM = address('Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo');
const LOOKUP_TABLE = address('AddressLookupTab1e1111111111111111111111111');

const memoOf = (text: string, programAddress: Address = MEMO_PROGRAM): MessageInstruction => ({
  programAddress,
  accounts: [],
  data: new TextEncoder().encode(text),
});
const computeBudget = (...data: number[]): MessageInstruction => ({
  programAddress: COMPUTE_BUDGET,
  accounts: [],
  data: Uint8Array.from(data),
});
const drain = (wallet: Address): MessageInstruction =>
  getTransferSolInstruction({
    source: createNoopSigner(wallet),
    destination: UNKNOWN_ADDRESS,
    amount: 1n,
  }) as never;
const advanceNonce = (wallet: Address): MessageInstruction =>
  getAdvanceNonceAccountInstruction({
    nonceAccount: UNKNOWN_ADDRESS,
    nonceAuthority: createNoopSigner(wallet),
  }) as never;
const textOf = ({ data }: MessageInstruction) => new TextDecoder().decode(data);
const withMore = (action: MessageInstruction, role: AccountRole): MessageInstruction => ({
  ...action,
  accounts: [...action.accounts, { address: UNKNOWN_ADDRESS, role }],
});

/** Returns other instructions than the memo and the action. */
type InstructionsEdit = (
  memo: MessageInstruction,
  action: MessageInstruction,
  draft: Message,
) => MessageInstruction[];

/** Selects the accounts of the action that can be changed, and the change of one of them. */
type AccountEdit = readonly [
  canChange: (meta: AccountMeta, index: number, action: MessageInstruction) => boolean,
  change: (action: MessageInstruction, index: number) => MessageInstruction,
];

/** Changes the account that `at` selects among those that can be changed. */
const inAccount =
  ([canChange, change]: AccountEdit): TransactionEdit =>
  (draft, { at }) => {
    const [memo, action] = draft.instructions as [MessageInstruction, MessageInstruction];
    const indexes = action.accounts.flatMap((meta, index) =>
      // The wallet pays, so it signs and is writable whatever an instruction says.
      meta.address !== draft.feePayer && canChange(meta, index, action) ? [index] : [],
    );
    const index = indexes[at];
    return index === undefined ? null : { ...draft, instructions: [memo, change(action, index)] };
  };

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

/** Tampers with the message around the request. */
export const PREPARE_MESSAGE_TAMPERINGS: readonly Tampering[] = [
  ...transactions<InstructionsEdit>(
    {},
    (edit) => (draft) => {
      const [memo, action] = draft.instructions;
      return { ...draft, instructions: edit(memo!, action!, draft) };
    },
    {
      'instruction-after': [
        'An instruction that takes SOL follows the action.',
        (memo, action, { feePayer }) => [memo, action, drain(feePayer)],
      ],
      'instruction-before': [
        'An instruction that takes SOL precedes the memo.',
        (memo, action, { feePayer }) => [drain(feePayer), memo, action],
      ],
      'instruction-between': [
        'An instruction that takes SOL is between memo and action.',
        (memo, action, { feePayer }) => [memo, drain(feePayer), action],
      ],
      'instruction-instead': [
        'An instruction that takes SOL replaces the action.',
        (memo, _action, { feePayer }) => [memo, drain(feePayer)],
      ],
      'action-twice': ['The action occurs twice.', (memo, action) => [memo, action, action]],
      'action-missing': ['The action is missing.', (memo) => [memo]],
      'memo-missing': ['The memo is missing.', (_memo, action) => [action]],
      'memo-twice': ['The memo occurs twice.', (memo, action) => [memo, memo, action]],
      'memo-moved': ['The memo follows the action.', (memo, action) => [action, memo]],
      'memo-of-another': [
        'The memo names another operation.',
        (_memo, action) => [memoOf(memoText('00000000-0000-4000-8000-000000000001')), action],
      ],
      'memo-of-another-version': [
        'The memo has another version.',
        (memo, action) => [memoOf(textOf(memo).replace(':v1:', ':v2:')), action],
      ],
      'memo-in-capitals': [
        'The memo is in capitals.',
        (memo, action) => [memoOf(textOf(memo).toUpperCase()), action],
      ],
      'memo-with-suffix': [
        'The memo ends with a space.',
        (memo, action) => [memoOf(`${textOf(memo)} `), action],
      ],
      'memo-of-another-program': [
        'The memo uses the old memo program.',
        (memo, action) => [memoOf(textOf(memo), OLD_MEMO_PROGRAM), action],
      ],
      'memo-signed': [
        'The memo has the wallet as its signer.',
        (memo, action, { feePayer }) => [
          { ...memo, accounts: [{ address: feePayer, role: AccountRole.READONLY_SIGNER }] },
          action,
        ],
      ],
      'priority-fee': [
        'A compute-budget instruction sets a priority fee.',
        (memo, action) => [computeBudget(3, 255, 255, 255, 255, 0, 0, 0, 0), memo, action],
      ],
      'compute-limit': [
        'A compute-budget instruction sets a limit.',
        (memo, action) => [computeBudget(2, 64, 66, 15, 0), memo, action],
      ],
      'durable-nonce': [
        'A durable nonce keeps the transaction valid forever.',
        (memo, action, { feePayer }) => [advanceNonce(feePayer), memo, action],
      ],
      'other-program': [
        'The action calls another program.',
        (memo, action) => [memo, { ...action, programAddress: SYSTEM_PROGRAM }],
      ],
      'data-longer': [
        'The action’s data has an additional byte.',
        (memo, action) => [memo, { ...action, data: Uint8Array.from([...action.data, 0]) }],
      ],
      'data-shorter': [
        'The last byte of the action’s data is missing.',
        (memo, action) => [memo, { ...action, data: action.data.slice(0, -1) }],
      ],
      'extra-signer': [
        'The action has an additional signer.',
        (memo, action) => [memo, withMore(action, AccountRole.READONLY_SIGNER)],
      ],
      'extra-account': [
        'The action has an additional account.',
        (memo, action) => [memo, withMore(action, AccountRole.READONLY)],
      ],
      'account-missing': [
        'The last account of the action is missing.',
        (memo, action) => [memo, { ...action, accounts: action.accounts.slice(0, -1) }],
      ],
    },
  ),
  ...transactions({}, inAccount, {
    'account-replaced': [
      'An account of the action is another one.',
      [() => true, (action, index) => withAccount(action, index, { address: UNKNOWN_ADDRESS })],
    ],
    'account-writable-flag': [
      'An account of the action has its writable flag inverted.',
      [
        // A message can only declare a program that it calls as readonly.
        ({ address }, _index, { programAddress }) => address !== programAddress,
        (action, index) =>
          withAccount(action, index, { role: action.accounts[index]!.role ^ AccountRole.WRITABLE }),
      ],
    ],
    'account-signer-flag': [
      'An account of the action must sign.',
      [
        () => true,
        (action, index) =>
          withAccount(action, index, { role: action.accounts[index]!.role | AccountRole.READONLY_SIGNER }),
      ],
    ],
    'accounts-swapped': [
      'Two accounts of the action are swapped.',
      [
        (meta, index, { accounts }) => (accounts[index + 1] ?? meta).address !== meta.address,
        (action, index) => {
          const accounts = [...action.accounts];
          [accounts[index], accounts[index + 1]] = [accounts[index + 1]!, accounts[index]!];
          return { ...action, accounts };
        },
      ],
    ],
  }),
  ...transactions({}, inCompiled, {
    'keys-in-other-order': [
      'The message has the same meaning, with its account keys in another order.',
      (compiled) => {
        // The last two keys are of one class: readonly, and no signers.
        const indexes = [...compiled.staticAccounts.keys()];
        return reorder(compiled, [...indexes.slice(0, -2), indexes.at(-1)!, indexes.at(-2)!]);
      },
    ],
    'unused-key': [
      'The message lists an account that nothing uses.',
      (compiled) => ({
        ...compiled,
        ...countReadonly(compiled, 1),
        staticAccounts: [...compiled.staticAccounts, UNKNOWN_ADDRESS],
      }),
    ],
    'account-in-lookup-table': ['An account of the action is in a look-up table.', moveToLookupTable],
  }),
  ...transactions<TransactionEdit>({}, (edit) => edit, {
    'other-fee-payer': ['Another wallet pays the fee.', (draft) => ({ ...draft, feePayer: UNKNOWN_ADDRESS })],
    'legacy-message': ['The message has the legacy format.', (draft) => ({ ...draft, version: 'legacy' })],
    'v1-message': ['The message has version 1.', (draft) => ({ ...draft, version: 1 })],
    'transaction-of-nothing': ['The transaction is empty.', () => ''],
    'transaction-of-zeros': ['The transaction consists of zeros.', () => writeWire(new Uint8Array(200))],
    'oversized-transaction': [
      'The transaction is longer than the network allows.',
      (draft) => writeDraft({ ...draft, instructions: [...draft.instructions, memoOf('x'.repeat(1_200))] }),
    ],
  }),
  ...transactions({}, inBytes, {
    'unknown-version': ['The message has a version that does not exist.', (wire) => wire.with(65, 0xff)],
    'unused-lookup-table': [
      'The message has a look-up table that nothing uses.',
      // The last byte counts the look-up tables. A table is its address and two lists of indexes.
      (wire) => [...wire.slice(0, -1), 1, ...getAddressEncoder().encode(LOOKUP_TABLE), 1, 0, 1, 1],
    ],
    'signature-filled-in': ['The transaction has a signature already.', (wire) => wire.fill(7, 1, 65)],
    'two-signatures': [
      'The transaction has space for a second signature.',
      (wire) => [2, ...new Uint8Array(128), ...wire.slice(65)],
    ],
    'byte-after': ['The message has an additional byte.', (wire) => [...wire, 0]],
    'byte-less': ['The last byte of the message is missing.', (wire) => wire.slice(0, -1)],
  }),
  ...transactions<TransactionEdit>({ code: 'BLOCKHASH_INVALID' }, (edit) => edit, {
    'blockhash-of-another-cluster': [
      'The blockhash is one of mainnet.',
      (draft) => ({ ...draft, blockhash: MAINNET_GENESIS_HASH }),
    ],
    'dead-blockhash': [
      'The blockhash is the first one of the cluster, which expired long ago.',
      async (draft, { exchange }) => {
        const { genesisHash } = await askService(exchange, '/api/config');
        return { ...draft, blockhash: String(genesisHash) };
      },
    ],
    'made-up-blockhash': [
      'The blockhash is made up.',
      async (draft) => {
        const seeds = ['blockhash'];
        const [blockhash] = await getProgramDerivedAddress({ programAddress: UNKNOWN_ADDRESS, seeds });
        return { ...draft, blockhash };
      },
    ],
  }),
];
