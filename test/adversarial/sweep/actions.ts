/** Edits of what the caller requested: fields of the action's data, and accounts by their role. */
import type { OperationKind } from '@service/contract';
import {
  GRANT_PASS_INSTRUCTION,
  getBindMintInstructionDataCodec,
  getCreateRuleSetInstructionDataCodec,
  getProveInstructionDataCodec,
  RECOVER_INSTRUCTION,
} from '@service/protocol/generated';
import { type ActionEdit, inAction, UNKNOWN_ADDRESS, withAccount, withAmount } from '@service/testing/edits';
import { AccountRole, type ReadonlyUint8Array } from '@solana/kit';
import { double, swap } from './kinds.ts';
import { cases, type SweepMode } from './row.ts';

const MISMATCH = { category: 'prepare', call: 'signAndSubmit', code: 'PREPARED_MISMATCH' } as const;

const actions = (kinds: readonly OperationKind[], table: Readonly<Record<string, ActionEdit>>) =>
  cases({ ...MISMATCH, kinds }, (edit) => inAction(edit, kinds), table);

/** Replaces an account, which has another index in the action of each kind. */
const account = (name: string, indexes: Partial<Record<OperationKind, number>>) =>
  actions(Object.keys(indexes) as OperationKind[], {
    [name]: (action, kind) => withAccount(action, indexes[kind]!, { address: UNKNOWN_ADDRESS }),
  });

/** Makes edits of the data of an instruction. */
function dataOf<T extends object>(codecOf: () => { decode(bytes: ReadonlyUint8Array): T }) {
  return (change: (data: T) => Partial<T>): ActionEdit =>
    (action) => {
      const codec = codecOf() as unknown as { encode(data: T): Uint8Array; decode(bytes: Uint8Array): T };
      const data = codec.decode(action.data);
      return { ...action, data: new Uint8Array(codec.encode({ ...data, ...change(data) })) };
    };
}

const bindMint = dataOf(getBindMintInstructionDataCodec);
const ruleSet = dataOf(getCreateRuleSetInstructionDataCodec);
const prove = dataOf(getProveInstructionDataCodec);

type Clause = Parameters<Parameters<typeof ruleSet>[0]>[0]['clauses'][number];
const firstClause = (change: (clause: Clause) => Partial<Clause>) =>
  ruleSet(({ clauses: [first, ...rest] }) => ({ clauses: [{ ...first!, ...change(first!) }, ...rest] }));

/** Inverts one bit of the region mask, which is big-endian. */
const withRegion = (bit: number) =>
  firstClause(({ regionMask }) => {
    const bytes = new Uint8Array(regionMask);
    bytes[bytes.length - 1 - (bit >> 3)]! ^= 1 << (bit & 7);
    return { regionMask: bytes };
  });
const withStatus = (bits: number) =>
  firstClause(({ statusMask }) => ({ statusMask: (statusMask ^ bits) >>> 0 }));

export const ACTIONS_SWEEP: readonly SweepMode[] = [
  ...actions(['ISSUE', 'TRANSFER', 'RECOVER', 'REDEEM'], {
    'one-unit-more': (action) => withAmount(action, (amount) => amount + 1n),
    'one-unit-less': (action) => withAmount(action, (amount) => amount - 1n),
    everything: (action) => withAmount(action, () => 2n ** 64n - 1n),
  }),
  ...actions(['RECOVER', 'REDEEM'], {
    // The last byte has the reason.
    'other-reason': (action) => ({ ...action, data: action.data.with(9, action.data[9]! + 1) }),
    'no-reason': (action) => ({ ...action, data: action.data.with(9, 0) }),
  }),
  ...actions(['REDEEM'], {
    // It gives what should be burned to a token account of somebody else.
    'recovered-instead': ({ accounts, data, ...action }) => {
      const to = { address: UNKNOWN_ADDRESS, role: AccountRole.WRITABLE };
      const others = [to, { ...to, role: AccountRole.READONLY }, { ...to, role: AccountRole.READONLY }];
      return {
        ...action,
        accounts: [...accounts.slice(0, -1), ...others, accounts.at(-1)!],
        data: data.with(0, RECOVER_INSTRUCTION),
      };
    },
  }),
  ...actions(['RECOVER'], {
    'recovered-the-other-way': ({ accounts, ...action }) => ({ ...action, accounts: swap(accounts, 4) }),
  }),
  ...actions(['SUSPEND', 'GRANT'], {
    'one-second-later': (action) => withAmount(action, (time) => time + 1n),
    'one-second-earlier': (action) => withAmount(action, (time) => time - 1n),
    'for-ever': (action) => withAmount(action, () => 2n ** 64n - 1n),
  }),
  ...actions(['SUSPEND'], {
    // The pass fee comes from the rule set, and the holder gets a pass instead.
    'granted-instead': ({ accounts, data, ...action }) => {
      const [creator, ruleSet, wallet, pass, system] = accounts;
      const config = { address: UNKNOWN_ADDRESS, role: AccountRole.READONLY };
      return {
        ...action,
        accounts: [creator!, config, ruleSet!, wallet!, pass!, system!],
        data: data.with(0, GRANT_PASS_INSTRUCTION),
      };
    },
  }),
  ...actions(['TRANSFER'], {
    // The last byte of TransferChecked has the decimals.
    'other-decimals': (action) => ({ ...action, data: action.data.with(9, action.data[9]! ^ 1) }),
    'swapped-source-and-destination': ({ accounts, ...action }) => {
      const [source, mint, destination, ...rest] = accounts;
      return { ...action, accounts: [destination!, mint!, source!, ...rest] };
    },
  }),
  ...account('other-source', { TRANSFER: 0, RECOVER: 4, REDEEM: 4 }),
  ...account('other-mint', { BIND_MINT: 1, ISSUE: 3, TRANSFER: 1, RECOVER: 3, REDEEM: 3 }),
  ...account('pass-of-another', { PROVE: 6, RECOVER: 6, SUSPEND: 3, GRANT: 4 }),
  ...account('credential-of-another', { RECOVER: 7 }),
  ...actions(['BIND_MINT'], {
    'source-pass-not-required': bindMint(({ requireSource }) => ({ requireSource: !requireSource })),
  }),
  ...actions(['CREATE_RULE_SET'], {
    'other-nonce': ruleSet(({ nonce }) => ({ nonce: nonce + 1n })),
    'other-name': ruleSet(({ name }) => ({ name: `${name}!` })),
    // One letter is Cyrillic.
    'look-alike-name': ruleSet(({ name }) => ({ name: `${name.slice(0, 1)}а${name.slice(2)}` })),
    'longer-pass-age': ruleSet((data) => ({ maxPassAgeSeconds: data.maxPassAgeSeconds + 1n })),
    'clause-more': ruleSet(({ clauses }) => ({ clauses: [...clauses, { ...clauses[0]!, minAge: 0 }] })),
    'clause-twice': ruleSet(({ clauses }) => ({ clauses: double(clauses, 0) })),
    'region-more': withRegion(0),
    'region-without-name': withRegion(252),
    'status-more': withStatus(1),
    'status-without-name': withStatus(0x80000000),
    'lower-age': firstClause(({ minAge }) => ({ minAge: minAge - 1 })),
  }),
  ...actions(['PROVE'], {
    'other-expiry': prove(({ expiresAt }) => ({ expiresAt: expiresAt + 1n })),
    // Age is counted on another day than in the proof.
    'other-day': prove(({ asOf }) => ({ asOf: asOf - 1 })),
    'other-proof': prove(({ proof }) => ({ proof: new Uint8Array(proof).map((byte) => byte ^ 1) })),
    'proof-points-swapped': prove(({ proof }) => ({
      proof: Uint8Array.from(swap([...new Uint8Array(proof)], 0)),
    })),
    // The pass fee comes from another rule set.
    'fee-from-another': (action) =>
      withAccount(action, 2, { address: UNKNOWN_ADDRESS, role: AccountRole.WRITABLE }),
  }),
];
