/** The right request in another transaction than the documented one (SPEC.md section 4). */
import { MEMO_PROGRAM, memoText, SYSTEM_PROGRAM } from '@service/protocol';
import {
  type AccountMeta,
  AccountRole,
  type Address,
  address,
  createNoopSigner,
  getBase64Encoder,
  getProgramDerivedAddress,
} from '@solana/kit';
import { getAdvanceNonceAccountInstruction, getTransferSolInstruction } from '@solana-program/system';
import { askToo } from '../memory/answers.ts';
import type { HostileMode, Lie } from './hostile-mode.ts';
import {
  type DraftInstruction,
  type MessageDraft,
  readCompiled,
  writeCompiled,
  writeDraft,
  writeWire,
} from './message-draft.ts';
import { withAccount } from './prepare-request.ts';
import { type Preparing, preparing } from './preparing.ts';
import { STRANGER } from './stranger.ts';

const COMPUTE_BUDGET = address('ComputeBudget111111111111111111111111111111');
const OLD_MEMO_PROGRAM = address('Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo');
const LOOKUP_TABLE = address('AddressLookupTab1e1111111111111111111111111');

type Edit = Parameters<typeof preparing>[1];

function message(id: string, lie: string, edit: Edit, code: HostileMode['code'] = 'PREPARED_MISMATCH'): Lie {
  return preparing({ id: `prepare-${id}`, lie, code }, edit);
}

/** Other instructions than the memo and the action. */
function instructions(
  id: string,
  lie: string,
  edit: (
    memo: DraftInstruction,
    action: DraftInstruction,
    more: MessageDraft & Preparing,
  ) => DraftInstruction[],
): Lie {
  return message(id, lie, (draft, more) => {
    const [memo, action] = draft.instructions;
    return { ...draft, instructions: edit(memo!, action!, { ...more, ...draft }) };
  });
}

/** The action changed in one account, which `at` chooses among those that can be. */
function accounts(
  id: string,
  lie: string,
  canBe: (meta: AccountMeta, index: number, all: readonly AccountMeta[], called: Address) => boolean,
  edit: (action: DraftInstruction, index: number) => DraftInstruction,
): Lie {
  return message(id, lie, (draft, { at }) => {
    const [memo, action] = draft.instructions;
    const places = action!.accounts.flatMap((meta, index) =>
      // The wallet pays, so it signs and is writable whatever an instruction says of it.
      meta.address !== draft.feePayer && canBe(meta, index, action!.accounts, action!.programAddress)
        ? [index]
        : [],
    );
    const place = places[at];
    return place === undefined ? null : { ...draft, instructions: [memo!, edit(action!, place)] };
  });
}

const memo = (text: string, programAddress: Address = MEMO_PROGRAM): DraftInstruction => ({
  programAddress,
  accounts: [],
  data: new TextEncoder().encode(text),
});
const budget = (...data: number[]): DraftInstruction => ({
  programAddress: COMPUTE_BUDGET,
  accounts: [],
  data: Uint8Array.from(data),
});
const drain = (wallet: Address): DraftInstruction =>
  getTransferSolInstruction({ source: createNoopSigner(wallet), destination: STRANGER, amount: 1n }) as never;
const bytesOf = (transaction: string) => new Uint8Array(getBase64Encoder().encode(transaction));
const textOf = ({ data }: DraftInstruction) => new TextDecoder().decode(data);

/** The lies about the message around the request. */
export const PREPARE_MESSAGE_LIES: readonly Lie[] = [
  instructions(
    'instruction-after',
    'An instruction that takes SOL stands after the action.',
    (own, action, { feePayer }) => [own, action, drain(feePayer)],
  ),
  instructions(
    'instruction-before',
    'An instruction that takes SOL stands before the memo.',
    (own, action, { feePayer }) => [drain(feePayer), own, action],
  ),
  instructions(
    'instruction-between',
    'An instruction that takes SOL stands between memo and action.',
    (own, action, { feePayer }) => [own, drain(feePayer), action],
  ),
  instructions(
    'instruction-instead',
    'An instruction that takes SOL stands in place of the action.',
    (own, _action, { feePayer }) => [own, drain(feePayer)],
  ),
  instructions('action-twice', 'The action stands twice.', (own, action) => [own, action, action]),
  instructions('action-missing', 'There is a memo and no action.', (own) => [own]),
  instructions('memo-missing', 'There is no memo.', (_own, action) => [action]),
  instructions('memo-twice', 'The memo stands twice.', (own, action) => [own, own, action]),
  instructions('memo-moved', 'The memo stands after the action.', (own, action) => [action, own]),
  instructions('memo-of-another', 'The memo names another operation.', (_own, action) => [
    memo(memoText('00000000-0000-4000-8000-000000000001')),
    action,
  ]),
  instructions('memo-of-another-version', 'The memo is of another version.', (own, action) => [
    memo(textOf(own).replace(':v1:', ':v2:')),
    action,
  ]),
  instructions('memo-in-capitals', 'The memo is in capitals.', (own, action) => [
    memo(textOf(own).toUpperCase()),
    action,
  ]),
  instructions('memo-with-suffix', 'A space stands after the memo’s text.', (own, action) => [
    memo(`${textOf(own)} `),
    action,
  ]),
  instructions('memo-of-another-program', 'The memo goes through the old memo program.', (own, action) => [
    memo(textOf(own), OLD_MEMO_PROGRAM),
    action,
  ]),
  instructions('memo-signed', 'The memo names the wallet as its signer.', (own, action, { feePayer }) => [
    { ...own, accounts: [{ address: feePayer, role: AccountRole.READONLY_SIGNER }] },
    action,
  ]),
  instructions('priority-fee', 'A compute-budget instruction sets a priority fee.', (own, action) => [
    budget(3, 255, 255, 255, 255, 0, 0, 0, 0),
    own,
    action,
  ]),
  instructions('compute-limit', 'A compute-budget instruction sets a limit.', (own, action) => [
    budget(2, 64, 66, 15, 0),
    own,
    action,
  ]),
  instructions(
    'durable-nonce',
    'A durable nonce keeps the transaction valid for ever.',
    (own, action, { feePayer }) => [
      getAdvanceNonceAccountInstruction({
        nonceAccount: STRANGER,
        nonceAuthority: createNoopSigner(feePayer),
      }) as never,
      own,
      action,
    ],
  ),
  instructions('other-program', 'The action is of another program.', (own, action) => [
    own,
    { ...action, programAddress: SYSTEM_PROGRAM },
  ]),
  instructions('data-longer', 'The action’s data is a byte longer.', (own, action) => [
    own,
    { ...action, data: Uint8Array.from([...action.data, 0]) },
  ]),
  instructions('data-shorter', 'The action’s data is a byte shorter.', (own, action) => [
    own,
    { ...action, data: action.data.slice(0, -1) },
  ]),
  instructions('extra-signer', 'The action has a signer more.', (own, action) => [
    own,
    { ...action, accounts: [...action.accounts, { address: STRANGER, role: AccountRole.READONLY_SIGNER }] },
  ]),
  instructions('extra-account', 'The action has an account more.', (own, action) => [
    own,
    { ...action, accounts: [...action.accounts, { address: STRANGER, role: AccountRole.READONLY }] },
  ]),
  instructions('account-missing', 'The action has an account less.', (own, action) => [
    own,
    { ...action, accounts: action.accounts.slice(0, -1) },
  ]),
  accounts(
    'account-replaced',
    'An account of the action is another one.',
    () => true,
    (action, index) => withAccount(action, index, { address: STRANGER }),
  ),
  accounts(
    'account-writable-flag',
    'An account of the action has its writable flag turned.',
    // Of a program that is called, a message says nothing but readonly.
    (meta, _index, _all, called) => meta.address !== called,
    (action, index) =>
      withAccount(action, index, {
        role: (action.accounts[index]!.role ^ AccountRole.WRITABLE) as AccountRole,
      }),
  ),
  accounts(
    'account-signer-flag',
    'An account of the action has to sign.',
    () => true,
    (action, index) =>
      withAccount(action, index, {
        role: (action.accounts[index]!.role | AccountRole.READONLY_SIGNER) as AccountRole,
      }),
  ),
  accounts(
    'accounts-swapped',
    'Two accounts of the action are swapped.',
    (meta, index, all) => all[index + 1] !== undefined && all[index + 1]!.address !== meta.address,
    (action, index) => {
      const swapped = [...action.accounts];
      [swapped[index], swapped[index + 1]] = [swapped[index + 1]!, swapped[index]!];
      return { ...action, accounts: swapped };
    },
  ),
  message(
    'keys-in-other-order',
    'The message means the same with its account keys in another order.',
    (_draft, { transaction }) => {
      const compiled = readCompiled(transaction);
      if (compiled.version === 1) return null;
      const last = compiled.staticAccounts.length - 1;
      // The last two keys are of one class: programs and accounts that are only read.
      const moved = (index: number) => (index === last ? last - 1 : index === last - 1 ? last : index);
      return writeCompiled({
        ...compiled,
        staticAccounts: compiled.staticAccounts.map((_key, index) => compiled.staticAccounts[moved(index)]!),
        instructions: compiled.instructions.map((instruction) => ({
          ...instruction,
          programAddressIndex: moved(instruction.programAddressIndex),
          ...(instruction.accountIndices ? { accountIndices: instruction.accountIndices.map(moved) } : {}),
        })),
      });
    },
  ),
  message('unused-key', 'The message lists an account that nothing uses.', (_draft, { transaction }) => {
    const compiled = readCompiled(transaction);
    if (compiled.version === 1) return null;
    const header = {
      ...compiled.header,
      numReadonlyNonSignerAccounts: compiled.header.numReadonlyNonSignerAccounts + 1,
    };
    return writeCompiled({ ...compiled, header, staticAccounts: [...compiled.staticAccounts, STRANGER] });
  }),
  message('other-fee-payer', 'Another wallet pays the fee.', (draft) => ({ ...draft, feePayer: STRANGER })),
  message('legacy-message', 'The message is a legacy one.', (draft) => ({ ...draft, version: 'legacy' })),
  message('v1-message', 'The message is of version 1.', (draft) => ({ ...draft, version: 1 })),
  message('unknown-version', 'The message is of a version that there is not.', (_draft, { transaction }) => {
    const bytes = bytesOf(transaction);
    bytes[65] = 0xff;
    return writeWire(bytes);
  }),
  message(
    'unused-lookup-table',
    'The message has a look-up table that nothing uses.',
    (_draft, { transaction }) => {
      const bytes = bytesOf(transaction);
      // The count of look-up tables is the last byte; a table is its address and two lists of indexes.
      const table = bytesOfAddress(LOOKUP_TABLE);
      return writeWire(Uint8Array.from([...bytes.slice(0, -1), 1, ...table, 1, 0, 1, 1]));
    },
  ),
  message(
    'account-in-lookup-table',
    'An account of the action stands in a look-up table.',
    (_draft, { transaction }) => {
      const compiled = readCompiled(transaction);
      if (compiled.version !== 0) return null;
      const action = compiled.instructions[1]!;
      const programs = compiled.instructions.map(({ programAddressIndex }) => programAddressIndex);
      // A key that is only read and that no instruction calls; those after it move up by one, and it comes last.
      const firstReadonly = compiled.staticAccounts.length - compiled.header.numReadonlyNonSignerAccounts;
      const moved = (action.accountIndices ?? []).find(
        (index) => index >= firstReadonly && !programs.includes(index),
      );
      if (moved === undefined) return null;
      const last = compiled.staticAccounts.length - 1;
      const to = (index: number) => (index === moved ? last : index > moved ? index - 1 : index);
      return writeCompiled({
        ...compiled,
        header: {
          ...compiled.header,
          numReadonlyNonSignerAccounts: compiled.header.numReadonlyNonSignerAccounts - 1,
        },
        staticAccounts: compiled.staticAccounts.filter((_key, index) => index !== moved),
        instructions: compiled.instructions.map((instruction) => ({
          ...instruction,
          programAddressIndex: to(instruction.programAddressIndex),
          ...(instruction.accountIndices ? { accountIndices: instruction.accountIndices.map(to) } : {}),
        })),
        addressTableLookups: [
          { lookupTableAddress: LOOKUP_TABLE, writableIndexes: [], readonlyIndexes: [0] },
        ],
      });
    },
  ),
  message(
    'blockhash-of-another-cluster',
    'The blockhash is one of mainnet.',
    (draft) => ({ ...draft, blockhash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d' }),
    'BLOCKHASH_INVALID',
  ),
  message(
    'dead-blockhash',
    'The blockhash is the first one of the cluster, which has died long since.',
    async (draft, { asked }) => ({
      ...draft,
      blockhash: String((await askToo(asked, '/api/config')).genesisHash),
    }),
    'BLOCKHASH_INVALID',
  ),
  message(
    'made-up-blockhash',
    'The blockhash is made up.',
    async (draft) => {
      const [madeUp] = await getProgramDerivedAddress({ programAddress: STRANGER, seeds: ['blockhash'] });
      return { ...draft, blockhash: madeUp };
    },
    'BLOCKHASH_INVALID',
  ),
  message('signature-filled-in', 'A signature is there already.', (_draft, { transaction }) => {
    const bytes = bytesOf(transaction);
    return writeWire(bytes.fill(7, 1, 65));
  }),
  message('two-signatures', 'There is a place for a second signature.', (_draft, { transaction }) =>
    writeWire(Uint8Array.from([2, ...new Uint8Array(128), ...bytesOf(transaction).slice(65)])),
  ),
  message('byte-after', 'A byte stands after the message.', (_draft, { transaction }) =>
    writeWire(Uint8Array.from([...bytesOf(transaction), 0])),
  ),
  message('byte-less', 'The last byte is missing.', (_draft, { transaction }) =>
    writeWire(bytesOf(transaction).slice(0, -1)),
  ),
  message('transaction-of-nothing', 'The transaction is empty.', () => ''),
  message('transaction-of-zeros', 'The transaction is zeros.', () => writeWire(new Uint8Array(200))),
  message('oversized-transaction', 'The transaction is longer than any can be.', (draft) =>
    writeDraft({
      ...draft,
      instructions: [...draft.instructions, memo('x'.repeat(1_200))],
    }),
  ),
];

function bytesOfAddress(key: Address): Uint8Array {
  return bytesOf(writeDraft({ version: 0, feePayer: key, blockhash: key, instructions: [] })).slice(69, 101);
}
