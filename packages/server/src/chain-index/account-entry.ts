/** Converts an account of the program to its row in the index. */
import { type AccountKind, type AccountOf, decodeAccount, programAccountKind } from '@service/protocol';
import type { Address, MaybeEncodedAccount } from '@solana/kit';
import type { IndexedAccountTable } from './tables.ts';

type LookUp = Partial<Omit<IndexedAccountTable, 'address' | 'kind' | 'data' | 'lamports' | 'slot'>>;

/** The largest integer of the database. It replaces a later time, and is later than every time that it is compared with. */
const INT8_MAX = 2n ** 63n - 1n;

/**
 * Returns the row of an account at a finalized slot. Returns null if the account is absent, malformed, has another owner,
 * or is of an unknown type or version.
 */
export function accountEntry(
  program: Address,
  account: MaybeEncodedAccount,
  slot: bigint,
): IndexedAccountTable | null {
  const kind = account.exists ? programAccountKind(account.data) : null;
  const found = kind && decodeAccount(program, kind, account);
  if (!account.exists || !kind || !found) return null;
  return {
    address: account.address,
    kind,
    wallet: null,
    rule: null,
    mint: null,
    fees: null,
    issued_at: null,
    expires_at: null,
    verifier: null,
    circuit: null,
    commitment: null,
    is_void: null,
    ...lookUp(kind, found.data),
    data: new Uint8Array(account.data),
    lamports: account.lamports,
    slot,
  };
}

function lookUp(kind: AccountKind, data: unknown): LookUp {
  const columns = LOOK_UPS[kind] as ((data: unknown) => LookUp) | undefined;
  return columns?.(data) ?? {};
}

const LOOK_UPS: { readonly [K in AccountKind]?: (data: AccountOf<K>) => LookUp } = {
  verifier: ({ authority, active }) => ({ wallet: authority, is_void: !active }),
  circuit: ({ unsound }) => ({ is_void: unsound }),
  credential: ({ wallet, verifier, commitment, expiresAt, revoked }) => ({
    wallet,
    verifier,
    commitment: new Uint8Array(commitment),
    expires_at: int8(expiresAt),
    is_void: revoked,
  }),
  ruleSet: ({ creator, fees }) => ({ wallet: creator, fees: int8(fees) }),
  mintBinding: ({ issuer, rule, mint }) => ({ wallet: issuer, rule, mint }),
  pass: ({ wallet, rule, verifier, circuit, commitment, issuedAt, expiresAt }) => ({
    wallet,
    rule,
    verifier,
    circuit,
    commitment: new Uint8Array(commitment),
    issued_at: int8(issuedAt),
    expires_at: int8(expiresAt),
  }),
};

function int8(value: bigint): bigint {
  return value < INT8_MAX ? value : INT8_MAX;
}
