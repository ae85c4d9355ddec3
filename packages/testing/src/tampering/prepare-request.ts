/** Transactions of another request than the caller's, field by field. */
import type { OperationKind } from '@service/contract';
import {
  getBindMintInstructionDataCodec,
  getCreateRuleSetInstructionDataCodec,
  getIssueTokensInstructionDataCodec,
  getProveInstructionDataCodec,
} from '@service/protocol/generated';
import { AccountRole } from '@solana/kit';
import type { Lie } from './hostile-mode.ts';
import type { DraftInstruction } from './message-draft.ts';
import { preparing } from './preparing.ts';
import { STRANGER } from './stranger.ts';

type Edit = (action: DraftInstruction, kind: OperationKind) => DraftInstruction;

function request(id: string, kinds: readonly OperationKind[], lie: string, edit: Edit): Lie {
  return preparing({ id: `prepare-${id}`, kinds, lie: `The transaction has ${lie}.` }, (draft, { kind }) => {
    const [memo, action] = draft.instructions;
    return { ...draft, instructions: [memo!, edit(action!, kind)] };
  });
}

/** Where the accounts of a request stand in the instruction of each kind. */
const ACCOUNTS: Record<string, Partial<Record<OperationKind, number>>> = {
  source: { TRANSFER: 0 },
  destination: { ISSUE: 4, TRANSFER: 2 },
  mint: { BIND_MINT: 1, ISSUE: 3, TRANSFER: 1 },
  rule: { BIND_MINT: 2, PROVE: 3 },
};

function account(name: keyof typeof ACCOUNTS, lie: string): Lie {
  const places = ACCOUNTS[name]!;
  return request(`other-${name}`, Object.keys(places) as OperationKind[], lie, (action, kind) =>
    withAccount(action, places[kind]!, { address: STRANGER }),
  );
}

/** An instruction with one of its accounts changed. */
export function withAccount(
  action: DraftInstruction,
  index: number,
  change: Partial<DraftInstruction['accounts'][number]>,
): DraftInstruction {
  const accounts = action.accounts.map((meta, at) => (at === index ? { ...meta, ...change } : meta));
  return { ...action, accounts };
}

interface Codec<T> {
  encode(value: T): unknown;
  decode(bytes: Uint8Array): T;
}

function data<T>(codec: () => Codec<T>, change: (value: T) => T): Edit {
  return (action) => {
    const changed = codec().encode(change(codec().decode(action.data)));
    return { ...action, data: new Uint8Array(changed as Uint8Array) };
  };
}

type BindData = ReturnType<ReturnType<typeof getBindMintInstructionDataCodec>['decode']>;
const bind = (change: (value: BindData) => BindData) =>
  data(getBindMintInstructionDataCodec as () => Codec<BindData>, change);
type RuleSetData = ReturnType<ReturnType<typeof getCreateRuleSetInstructionDataCodec>['decode']>;
const ruleSet = (change: (value: RuleSetData) => RuleSetData) =>
  data(getCreateRuleSetInstructionDataCodec as () => Codec<RuleSetData>, change);
type Clause = RuleSetData['clauses'][number];
const firstClause = (change: (clause: Clause) => Clause) =>
  ruleSet((value) => ({
    ...value,
    clauses: value.clauses.map((clause, index) => (index === 0 ? change(clause) : clause)),
  }));
type ProveData = ReturnType<ReturnType<typeof getProveInstructionDataCodec>['decode']>;
const prove = (change: (value: ProveData) => ProveData) =>
  data(getProveInstructionDataCodec as () => Codec<ProveData>, change);
type IssueData = ReturnType<ReturnType<typeof getIssueTokensInstructionDataCodec>['decode']>;
const issue = (change: (value: IssueData) => IssueData) =>
  data(getIssueTokensInstructionDataCodec as () => Codec<IssueData>, change);

/** Token-2022's TransferChecked: its number, a u64 of base units, the decimals. */
const transferAmount =
  (change: (amount: bigint) => bigint): Edit =>
  (action) => {
    const bytes = action.data.slice();
    const view = new DataView(bytes.buffer);
    view.setBigUint64(1, change(view.getBigUint64(1, true)), true);
    return { ...action, data: bytes };
  };
const amount = (change: (amount: bigint) => bigint): Edit => {
  const issued = issue((value) => ({ ...value, amount: change(value.amount) }));
  return (action, kind) => (kind === 'ISSUE' ? issued(action, kind) : transferAmount(change)(action, kind));
};

function flippedMask(mask: Clause['regionMask'], bit: number): Clause['regionMask'] {
  const bytes = new Uint8Array(mask);
  // The mask is big-endian.
  bytes[bytes.length - 1 - (bit >> 3)]! ^= 1 << (bit & 7);
  return bytes;
}

const TOKENS = ['ISSUE', 'TRANSFER'] as const;
const RULE_SET = ['CREATE_RULE_SET'] as const;

/** The lies about what was asked for. */
export const PREPARE_REQUEST_LIES: readonly Lie[] = [
  request(
    'other-amount',
    TOKENS,
    'ten times the amount',
    amount((value) => value * 10n),
  ),
  request(
    'one-unit-more',
    TOKENS,
    'one base unit more',
    amount((value) => value + 1n),
  ),
  request(
    'everything',
    TOKENS,
    'the largest amount that there is',
    amount(() => 18_446_744_073_709_551_615n),
  ),
  request('other-decimals', ['TRANSFER'], 'other decimals of the mint', (action) => {
    const bytes = action.data.slice();
    bytes[bytes.length - 1]! ^= 1;
    return { ...action, data: bytes };
  }),
  account('source', 'another source'),
  account('destination', 'another destination'),
  account('mint', 'another mint'),
  account('rule', 'another rule set'),
  request('swapped-source-and-destination', ['TRANSFER'], 'source and destination swapped', (action) => {
    const [source, mint, destination, ...rest] = action.accounts;
    return { ...action, accounts: [destination!, mint!, source!, ...rest] };
  }),
  request(
    'source-pass-not-required',
    ['BIND_MINT'],
    'another answer to whether the source needs a pass',
    bind((value) => ({ ...value, requireSource: !value.requireSource })),
  ),
  request(
    'other-nonce',
    RULE_SET,
    'another nonce',
    ruleSet((value) => ({ ...value, nonce: value.nonce + 1n })),
  ),
  request(
    'other-name',
    RULE_SET,
    'another name',
    ruleSet((value) => ({ ...value, name: `${value.name}!` })),
  ),
  request(
    'look-alike-name',
    RULE_SET,
    'a name with a Cyrillic letter',
    ruleSet((value) => ({ ...value, name: `${value.name.slice(0, 1)}а${value.name.slice(2)}` })),
  ),
  request(
    'longer-pass-age',
    RULE_SET,
    'a longer pass age',
    ruleSet((value) => ({ ...value, maxPassAgeSeconds: value.maxPassAgeSeconds + 1n })),
  ),
  request(
    'clause-more',
    RULE_SET,
    'a clause more, which anybody meets',
    ruleSet((value) => ({ ...value, clauses: [...value.clauses, { ...value.clauses[0]!, minAge: 0 }] })),
  ),
  request(
    'clause-twice',
    RULE_SET,
    'a clause twice',
    ruleSet((value) => ({ ...value, clauses: [...value.clauses, value.clauses[0]!] })),
  ),
  request(
    'region-more',
    RULE_SET,
    'a region more',
    firstClause((clause) => ({ ...clause, regionMask: flippedMask(clause.regionMask, 0) })),
  ),
  request(
    'region-without-name',
    RULE_SET,
    'a region that has no name',
    firstClause((clause) => ({ ...clause, regionMask: flippedMask(clause.regionMask, 252) })),
  ),
  request(
    'status-more',
    RULE_SET,
    'a status more',
    firstClause((clause) => ({ ...clause, statusMask: (clause.statusMask ^ 1) >>> 0 })),
  ),
  request(
    'status-without-name',
    RULE_SET,
    'a status that has no name',
    firstClause((clause) => ({ ...clause, statusMask: (clause.statusMask ^ 0x80000000) >>> 0 })),
  ),
  request(
    'lower-age',
    RULE_SET,
    'a lower age',
    firstClause((clause) => ({ ...clause, minAge: clause.minAge - 1 })),
  ),
  request(
    'other-expiry',
    ['PROVE'],
    'another expiry of the pass',
    prove((value) => ({ ...value, expiresAt: value.expiresAt + 1n })),
  ),
  request(
    'other-proof',
    ['PROVE'],
    'another proof',
    prove((value) => ({ ...value, proof: new Uint8Array(value.proof).map((byte) => byte ^ 1) })),
  ),
  request('pass-of-another', ['PROVE'], 'the pass of another wallet', (action) =>
    withAccount(action, 7, { address: STRANGER }),
  ),
  request('fee-to-another', ['PROVE'], 'another treasury for the pass fee', (action) =>
    withAccount(action, 2, { address: STRANGER, role: AccountRole.WRITABLE }),
  ),
];
