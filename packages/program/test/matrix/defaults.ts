/** The expectation of a cell that its row does not state. It follows from the flags of the IDL and from the kind. */
import type { ListedAccount } from '../support/instruction.ts';
import { COLUMN_NAMES, type ColumnName, NOT_OF_PROGRAM } from './columns.ts';
import { isList, isRecord, type Kind, type RecordKind } from './kinds.ts';
import { type AccountRow, allowed, type Cells, type Expectation, each, notTested } from './row.ts';

/** An account of an instruction: its flags in the IDL, its kind and its row. */
export interface Listed extends ListedAccount {
  readonly kind: Kind;
  readonly row: AccountRow;
}

/** Returns the expectation of a cell, or undefined if the row must state it and does not. */
export function expectationOf(account: Listed, column: ColumnName): Expectation | undefined {
  const { isSigner, isWritable, kind, row } = account;
  if (row[column] !== undefined) return row[column];
  if (column === 'unsigned') return isSigner ? 'MISSING_SIGNATURE' : notTested('It does not have to sign.');
  if (row.is === 'left out') return column === 'otherWallet' ? undefined : notTested('This scene omits it.');
  if (column === 'readOnly') return isWritable ? 'NOT_WRITABLE' : notTested('It is read only already.');
  const isPass = kind === 'pass' && (row.is === undefined || row.is === 'changed');
  // A closed pass does not exist.
  if (column === 'closed' && isPass) return expectationOf(account, 'missing');
  if (column === 'reopened' && isPass) return REOPENED;
  return defaultsOf(account)[column];
}

function defaultsOf({ kind, isSigner, row }: Listed): Cells {
  if (row.is === 'created') return CREATED;
  if (row.is === 'made if missing') return { ...CREATED, otherKind: 'WRONG_ACCOUNT_TYPE' };
  if (row.is === 'changed') return CHANGED;
  if (isSigner) return SIGNER;
  if (!isRecord(kind)) return OTHERS[kind];
  const isOnly = kind === 'config' || kind === 'treasury';
  return isOnly && !row.another ? { ...RECORD, sameKind: ONLY_ONE } : RECORD;
}

/** Returns the same reason for every column but `otherWallet`. */
const untested = (why: string): Cells =>
  each(notTested(why), ...COLUMN_NAMES.filter((column) => column !== 'otherWallet'));

const MORE_LAMPORTS = allowed('Anyone can send lamports to any account. The program does not check them.');

const SIGNER = untested(
  'It signs. The program reads only its address, and no account of a program has a key.',
);

const CREATED: Cells = {
  ...untested('The account does not exist yet.'),
  otherWallet: 'WRONG_ADDRESS',
  ...each('ALREADY_INITIALIZED', 'otherProgramOwned', 'otherKind', 'otherTokenKind'),
  funded: allowed('The lamports count towards the rent.'),
};

const NEVER_CLOSED = notTested('Only a pass is ever closed.');
const REOPENED = allowed('Nothing of the closed pass is left. The new pass is valid.');
const ONLY_ONE = notTested('There is only one: its seeds are constant, and only the program makes one.');

const RECORD: Cells = {
  ...each('WRONG_OWNER', ...NOT_OF_PROGRAM),
  ...each('WRONG_ACCOUNT_TYPE', 'otherType', 'otherVersion', 'shorter', 'longer', 'otherKind', 'zeros'),
  ...each(NEVER_CLOSED, 'closed', 'reopened'),
  otherBump: allowed(
    'The program does not read it. Only the program writes it, and derives an address only to create an account.',
  ),
  funded: MORE_LAMPORTS,
};

/** The program treats an account of another owner as missing and tries to create it, which fails. */
const CHANGED: Cells = {
  ...RECORD,
  otherWallet: 'WRONG_ADDRESS',
  otherTokenKind: 'WRONG_ADDRESS',
  otherProgramOwned: 'ALREADY_INITIALIZED',
  // 0 of the system program: the account has data and cannot be allocated.
  systemOwned: 0,
  missing: allowed('Then the program creates it again.'),
};

const ofToken2022 = (invalid: Expectation): Cells => ({
  ...untested('Token-2022 writes its accounts. The tests of the instruction cover what it reads of them.'),
  ...each(invalid, ...NOT_OF_PROGRAM, 'shorter', 'otherKind', 'zeros'),
  funded: MORE_LAMPORTS,
});

const OTHERS: Readonly<Record<Exclude<Kind, RecordKind>, Cells>> = {
  wallet: {
    ...untested('The program reads only its address.'),
    missing: allowed('A wallet may be empty.'),
    funded: MORE_LAMPORTS,
  },
  extraAccountMetaList: RECORD,
  thawList: RECORD,
  freezeList: RECORD,
  mintConfig: {
    ...RECORD,
    ...each('WRONG_OWNER', 'otherKind'),
    ...each(notTested('Token ACL writes it, and has one version.'), 'otherVersion', 'otherBump'),
  },
  program: {
    ...untested('A program or sysvar: only its address is checked, and only the runtime can write it.'),
    ...each('WRONG_PROGRAM', 'otherWallet', 'otherKind', 'otherTokenKind'),
  },
  programData: {
    ...untested('The loader writes it: owner, address and variant are checked.'),
    ...each('WRONG_ADDRESS', 'otherWallet', 'otherKind', 'otherTokenKind'),
    ...each('WRONG_OWNER', 'systemOwned', 'otherProgramOwned', 'missing'),
    ...each('WRONG_ACCOUNT_TYPE', 'otherType', 'shorter'),
    funded: MORE_LAMPORTS,
  },
  mint: ofToken2022('MINT_INVALID'),
  tokenAccount: ofToken2022('TOKEN_ACCOUNT_INVALID'),
};

/** Returns the expectation when another account of the instruction is in the place of this one. */
export function expectationOfSame(account: Listed, inPlace: Listed): Expectation | undefined {
  const said = account.row.same?.[inPlace.name];
  if (said !== undefined) return said;
  if (inPlace.row.is === 'left out')
    return notTested('This scene omits the account that would be passed twice.');
  const hasKey = inPlace.isSigner || inPlace.kind === 'wallet';
  if (account.isSigner && !hasKey) return notTested('It must sign, and no key exists for the other account.');
  return expectationOf(account, columnOf(inPlace, account)) ?? expectationOf(account, 'otherWallet');
}

/** Returns the column whose case this is. */
function columnOf(inPlace: Listed, account: Listed): ColumnName {
  const { kind, row } = inPlace;
  // The runtime lets nobody write the system program or a sysvar. It does not protect the token program.
  const isReserved = kind === 'program' && inPlace.name !== 'tokenProgram';
  const isOwnerFirst = isRecord(account.kind) && account.row.is === undefined;
  if (isReserved && account.isWritable && !isOwnerFirst) return 'readOnly';
  const isMissing = row.is === 'created' || row.is === 'made if missing';
  if (isMissing || account.row.is === 'created') return 'otherWallet';
  if (account.kind === kind) return 'sameKind';
  if (kind === 'mint' || kind === 'tokenAccount') return account.row.is ? 'otherWallet' : 'otherTokenKind';
  return isRecord(kind) || isList(kind) ? 'otherKind' : 'otherWallet';
}
