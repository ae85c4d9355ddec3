/** What a cell says unless its row says otherwise: it follows from the IDL's flags and from what the account is. */
import type { ListedAccount } from '../support/instruction.ts';
import { type Expectation, each, notTested, works } from './expectation.ts';
import { isRecord, KINDS, type Kind } from './kinds.ts';
import type { AnyAccountName } from './names.ts';
import type { Refusal } from './refusals.ts';
import type { AnyAccountRow } from './row.ts';

/** An account of an instruction: what the IDL says of it, what it is, and its row. */
export interface Listed extends ListedAccount {
  readonly kind: Kind;
  readonly row: AnyAccountRow;
}

/** Joins what the IDL says of an account with its row. */
export function listed(account: ListedAccount, row: AnyAccountRow): Listed {
  return { ...account, row, kind: KINDS[account.name as AnyAccountName] };
}

/** What the cell of an account says; undefined when its row has to say it and does not. */
export function expectationOf(account: Listed, column: Refusal): Expectation | undefined {
  const { cells } = account.row;
  const said = cells?.[column] ?? byFlags(account, column);
  if (said !== undefined) return said;
  // A pass that was closed is not there.
  if (column === 'closed' && isThere(account, 'pass')) return expectationOf(account, 'missing');
  if (column === 'reopened' && isThere(account, 'pass')) return REOPENED;
  return defaultsOf(account)[column];
}

function byFlags({ isSigner, isWritable, row }: Listed, column: Refusal): Expectation | undefined {
  if (column === 'unsigned') return isSigner ? 'MISSING_SIGNATURE' : notTested('It does not have to sign.');
  if (row.is === 'left out') return column === 'otherWallet' ? undefined : notTested('This scene omits it.');
  if (column === 'readOnly') return isWritable ? 'NOT_WRITABLE' : notTested('It is read only already.');
  return undefined;
}

function isThere({ kind, row }: Listed, asked: Kind): boolean {
  return kind === asked && (row.is === undefined || row.is === 'changed');
}

type Cells = { readonly [Column in Refusal]?: Expectation };

function defaultsOf({ kind, isSigner, row }: Listed): Cells {
  if (row.is === 'created') return CREATED;
  if (row.is === 'made if missing') return { ...CREATED, posing: 'WRONG_ACCOUNT_TYPE' };
  if (row.is === 'changed') return CHANGED;
  if (isSigner) return SIGNER;
  if (isRecord(kind)) return row.other ? RECORD : { ...RECORD, ...(ONLY_ONE[kind] ?? {}) };
  return OTHERS[kind];
}

const whatever = (why: string): Cells => {
  const cell = notTested(why);
  return {
    ...each(
      cell,
      'other',
      'systemOwned',
      'otherProgramOwned',
      'typed',
      'version',
      'shorter',
      'longer',
      'posing',
      'posingToken',
      'zeros',
      'missing',
      'closed',
      'reopened',
      'bump',
      'funded',
    ),
  };
};

const MORE_LAMPORTS = works('Anyone can send lamports to any account. The program does not check them.');

const SIGNER = whatever(
  'It signs. The program reads only its address, and no account of a program has a key.',
);

const WALLET: Cells = {
  ...whatever('The program reads only its address.'),
  missing: works('A wallet may be empty.'),
  funded: MORE_LAMPORTS,
};

const CREATED: Cells = {
  ...whatever('The account does not exist yet.'),
  otherWallet: 'WRONG_ADDRESS',
  ...each('ALREADY_INITIALIZED', 'otherProgramOwned', 'posing', 'posingToken'),
  funded: works('The lamports count towards the rent.'),
};

const BUMP = works(
  'It is not read. Only the program writes it, and it derives an address only when it creates an account.',
);

const NEVER_CLOSED = notTested('Only a pass is ever closed.');
const REOPENED = works('Nothing of the closed pass is left. The new pass is valid.');

const RECORD: Cells = {
  ...each('WRONG_OWNER', 'otherWallet', 'systemOwned', 'otherProgramOwned'),
  ...each('WRONG_ACCOUNT_TYPE', 'typed', 'version', 'shorter', 'longer', 'posing'),
  posingToken: 'WRONG_OWNER',
  zeros: 'WRONG_ACCOUNT_TYPE',
  missing: 'WRONG_OWNER',
  closed: NEVER_CLOSED,
  reopened: NEVER_CLOSED,
  bump: BUMP,
  funded: MORE_LAMPORTS,
};

/** The program treats an account of another owner as missing and tries to create it, which fails. */
const CHANGED: Cells = {
  ...RECORD,
  otherWallet: 'WRONG_ADDRESS',
  posingToken: 'WRONG_ADDRESS',
  otherProgramOwned: 'ALREADY_INITIALIZED',
  // 0 of the system program: the account has data and cannot be allocated.
  systemOwned: 0,
  missing: works('Then the program creates it again.'),
};

const THE_ONLY = {
  other: notTested('There is only one: its seeds are constant, and only the program makes one.'),
};
const ONLY_ONE: { readonly [K in Kind]?: Cells } = { config: THE_ONLY, treasury: THE_ONLY };

const OF_TOKEN_2022 =
  'Token-2022 writes its accounts. The tests of the instruction cover what it reads of them.';

const tokenOwned = (invalid: Expectation): Cells => ({
  ...whatever(OF_TOKEN_2022),
  ...each(
    invalid,
    'otherWallet',
    'systemOwned',
    'otherProgramOwned',
    'shorter',
    'posing',
    'posingToken',
    'zeros',
    'missing',
  ),
  funded: MORE_LAMPORTS,
});

const OTHERS: Readonly<Record<Exclude<Kind, keyof typeof import('./kinds.ts').TYPES>, Cells>> = {
  wallet: WALLET,
  extraAccountMetaList: {
    ...RECORD,
    typed: 'WRONG_ACCOUNT_TYPE',
  },
  program: {
    ...whatever(
      'A program or sysvar: its address is all that is checked, and only the runtime can write it.',
    ),
    ...each('WRONG_PROGRAM', 'otherWallet', 'posing', 'posingToken'),
  },
  programData: {
    ...whatever('The loader writes it: owner, address and variant are checked.'),
    ...each('WRONG_ADDRESS', 'otherWallet', 'posing', 'posingToken'),
    ...each('WRONG_OWNER', 'systemOwned', 'otherProgramOwned', 'missing'),
    typed: 'WRONG_ACCOUNT_TYPE',
    shorter: 'WRONG_ACCOUNT_TYPE',
    funded: MORE_LAMPORTS,
  },
  mint: tokenOwned('MINT_INVALID'),
  tokenAccount: tokenOwned('TOKEN_ACCOUNT_INVALID'),
};

/** Returns whether the program checks the owner of the account first. */
function isLoaded({ kind, row }: Listed): boolean {
  return isRecord(kind) && row.is === undefined;
}

/** Returns what happens when an account of the instruction is passed in the place of another one. */
export function expectationOfSame(account: Listed, inPlace: Listed): Expectation | undefined {
  const said = account.row.same?.[inPlace.name];
  if (said !== undefined) return said;
  if (inPlace.row.is === 'left out')
    return notTested('This scene omits the account that would be passed twice.');
  const hasKey = inPlace.isSigner || inPlace.kind === 'wallet';
  if (account.isSigner && !hasKey) return notTested('It must sign, and no key exists for the other account.');
  return expectationOf(account, columnOf(inPlace, account)) ?? expectationOf(account, 'otherWallet');
}

/** The column that the case is one of: what stands in the place of the account is not it, whatever else it is. */
function columnOf(inPlace: Listed, account: Listed): Refusal {
  const { kind, row } = inPlace;
  // The runtime lets nobody write the system program or a sysvar; the token program it does.
  const isReserved = kind === 'program' && inPlace.name !== 'tokenProgram';
  if (isReserved && account.isWritable && !isLoaded(account)) return 'readOnly';
  const isMissing = row.is === 'created' || row.is === 'made if missing';
  if (isMissing || account.row.is === 'created') return 'otherWallet';
  if (account.kind === kind) return 'other';
  if (kind === 'mint' || kind === 'tokenAccount') return account.row.is ? 'otherWallet' : 'posingToken';
  return isRecord(kind) || kind === 'extraAccountMetaList' ? 'posing' : 'otherWallet';
}
