/** Prepares transactions for other requests than the caller's, one field at a time. */
import type { OperationKind } from '@service/contract';
import {
  getBindMintInstructionDataCodec,
  getCreateRuleSetInstructionDataCodec,
  getIssueTokensInstructionDataCodec,
  getProveInstructionDataCodec,
} from '@service/protocol/generated';
import { AccountRole, type ReadonlyUint8Array } from '@solana/kit';
import type { MessageInstruction } from '../transaction-message.ts';
import { type Table, type Tampering, UNKNOWN_ADDRESS } from './hostile-mode.ts';
import { transactions } from './prepared-transaction.ts';

type Edit = (action: MessageInstruction, kind: OperationKind) => MessageInstruction;

/** Modes that change the action of operations of some kinds. */
const requests = (kinds: readonly OperationKind[], table: Table<Edit>): readonly Tampering[] =>
  transactions(
    { kinds },
    (edit) =>
      (draft, { kind }) => {
        const [memo, action] = draft.instructions;
        return { ...draft, instructions: [memo!, edit(action!, kind)] };
      },
    table,
  );

/** Returns an instruction with one of its accounts changed. */
export function withAccount(
  action: MessageInstruction,
  index: number,
  change: Partial<MessageInstruction['accounts'][number]>,
): MessageInstruction {
  const accounts = action.accounts.map((meta, at) => (at === index ? { ...meta, ...change } : meta));
  return { ...action, accounts };
}

/** Returns a mode that replaces an account. The account has another index in the instruction of each kind. */
function account(name: string, indexes: Partial<Record<OperationKind, number>>): readonly Tampering[] {
  return requests(Object.keys(indexes) as OperationKind[], {
    [`other-${name.replace(' ', '-')}`]: [
      `The transaction has another ${name}.`,
      (action, kind) => withAccount(action, indexes[kind]!, { address: UNKNOWN_ADDRESS }),
    ],
  });
}

/** Makes edits of the data of an instruction. */
function dataOf<T extends object>(codecOf: () => { decode(bytes: ReadonlyUint8Array): T }) {
  return (change: (data: T) => Partial<T>): Edit =>
    (action) => {
      const codec = codecOf() as unknown as { encode(data: T): Uint8Array; decode(bytes: Uint8Array): T };
      const data = codec.decode(action.data);
      return { ...action, data: new Uint8Array(codec.encode({ ...data, ...change(data) })) };
    };
}

const bindMint = dataOf(getBindMintInstructionDataCodec);
const ruleSet = dataOf(getCreateRuleSetInstructionDataCodec);
const prove = dataOf(getProveInstructionDataCodec);
const issue = dataOf(getIssueTokensInstructionDataCodec);

type Clause = Parameters<Parameters<typeof ruleSet>[0]>[0]['clauses'][number];
const firstClause = (change: (clause: Clause) => Partial<Clause>) =>
  ruleSet(({ clauses: [first, ...rest] }) => ({ clauses: [{ ...first!, ...change(first!) }, ...rest] }));

/** Inverts one bit of a mask, which is big-endian. */
function withBit({ regionMask }: Clause, bit: number): Pick<Clause, 'regionMask'> {
  const bytes = new Uint8Array(regionMask);
  bytes[bytes.length - 1 - (bit >> 3)]! ^= 1 << (bit & 7);
  return { regionMask: bytes };
}

/** The data of Token-2022's TransferChecked: its number, the amount (u64), the decimals. */
const transfer =
  (change: (data: DataView) => void): Edit =>
  (action) => {
    const data = action.data.slice();
    change(new DataView(data.buffer));
    return { ...action, data };
  };

const amount = (change: (amount: bigint) => bigint): Edit => {
  const issued = issue((data) => ({ amount: change(data.amount) }));
  const transferred = transfer((data) => data.setBigUint64(1, change(data.getBigUint64(1, true)), true));
  return (action, kind) => (kind === 'ISSUE' ? issued : transferred)(action, kind);
};

/** Tampers with what the caller requested. */
export const PREPARE_REQUEST_TAMPERINGS: readonly Tampering[] = [
  ...requests(['ISSUE', 'TRANSFER'], {
    'other-amount': ['The transaction has ten times the amount.', amount((value) => value * 10n)],
    'one-unit-more': ['The transaction has one base unit more.', amount((value) => value + 1n)],
    everything: ['The transaction has the largest possible amount.', amount(() => 2n ** 64n - 1n)],
  }),
  ...requests(['TRANSFER'], {
    'other-decimals': [
      'The transaction has other decimals of the mint.',
      transfer((data) => data.setUint8(9, data.getUint8(9) ^ 1)),
    ],
    'swapped-source-and-destination': [
      'The transaction has source and destination swapped.',
      ({ accounts: [source, mint, destination, ...rest], ...action }) => ({
        ...action,
        accounts: [destination!, mint!, source!, ...rest],
      }),
    ],
  }),
  ...account('source', { TRANSFER: 0 }),
  ...account('destination', { ISSUE: 4, TRANSFER: 2 }),
  ...account('mint', { BIND_MINT: 1, ISSUE: 3, TRANSFER: 1 }),
  ...account('rule', { BIND_MINT: 2, PROVE: 3 }),
  ...requests(['BIND_MINT'], {
    'source-pass-not-required': [
      'The transaction inverts whether the source needs a pass.',
      bindMint(({ requireSource }) => ({ requireSource: !requireSource })),
    ],
  }),
  ...requests(['CREATE_RULE_SET'], {
    'other-nonce': ['The transaction has another nonce.', ruleSet(({ nonce }) => ({ nonce: nonce + 1n }))],
    'other-name': ['The transaction has another name.', ruleSet(({ name }) => ({ name: `${name}!` }))],
    'look-alike-name': [
      'The transaction has a name with a Cyrillic letter.',
      ruleSet(({ name }) => ({ name: `${name.slice(0, 1)}а${name.slice(2)}` })),
    ],
    'longer-pass-age': [
      'The transaction has a longer pass age.',
      ruleSet((data) => ({ maxPassAgeSeconds: data.maxPassAgeSeconds + 1n })),
    ],
    'clause-more': [
      'The transaction has an additional clause with no minimum age.',
      ruleSet(({ clauses }) => ({ clauses: [...clauses, { ...clauses[0]!, minAge: 0 }] })),
    ],
    'clause-twice': [
      'The transaction has a clause twice.',
      ruleSet(({ clauses }) => ({ clauses: [...clauses, clauses[0]!] })),
    ],
    'region-more': ['The transaction has an additional region.', firstClause((clause) => withBit(clause, 0))],
    'region-without-name': [
      'The transaction has an additional region that has no name.',
      firstClause((clause) => withBit(clause, 252)),
    ],
    'status-more': [
      'The transaction has an additional status.',
      firstClause(({ statusMask }) => ({ statusMask: (statusMask ^ 1) >>> 0 })),
    ],
    'status-without-name': [
      'The transaction has an additional status that has no name.',
      firstClause(({ statusMask }) => ({ statusMask: (statusMask ^ 0x80000000) >>> 0 })),
    ],
    'lower-age': [
      'The transaction has a lower minimum age.',
      firstClause(({ minAge }) => ({ minAge: minAge - 1 })),
    ],
  }),
  ...requests(['PROVE'], {
    'other-expiry': [
      'The transaction has another expiry of the pass.',
      prove(({ expiresAt }) => ({ expiresAt: expiresAt + 1n })),
    ],
    'other-day': [
      'The transaction counts age on another day than the proof.',
      prove(({ asOf }) => ({ asOf: asOf - 1 })),
    ],
    'other-proof': [
      'The transaction has another proof.',
      prove(({ proof }) => ({ proof: new Uint8Array(proof).map((byte) => byte ^ 1) })),
    ],
    'pass-of-another': [
      'The transaction has the pass of another wallet.',
      (action) => withAccount(action, 6, { address: UNKNOWN_ADDRESS }),
    ],
    'fee-from-another': [
      'The transaction takes the pass fee from another rule set.',
      (action) => withAccount(action, 2, { address: UNKNOWN_ADDRESS, role: AccountRole.WRITABLE }),
    ],
  }),
];
