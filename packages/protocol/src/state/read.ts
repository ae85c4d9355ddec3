/** Reads accounts from an RPC. Checks owner, type and version of each before decoding it. */
import {
  type Address,
  type Commitment,
  type Decoder,
  fetchEncodedAccounts,
  type GetMultipleAccountsApi,
  type MaybeEncodedAccount,
  type ReadonlyUint8Array,
  type Rpc,
} from '@solana/kit';
import { TOKEN_2022_PROGRAM } from '../addresses.ts';
import { CIRCUIT_ACCOUNT_TYPE, type Circuit, getCircuitDecoder } from '../generated/accounts/circuit';
import { CONFIG_ACCOUNT_TYPE, type Config, getConfigDecoder } from '../generated/accounts/config';
import {
  CREDENTIAL_ACCOUNT_TYPE,
  type Credential,
  getCredentialDecoder,
} from '../generated/accounts/credential';
import {
  getMintBindingDecoder,
  MINT_BINDING_ACCOUNT_TYPE,
  type MintBinding,
} from '../generated/accounts/mintBinding';
import { getPassDecoder, PASS_ACCOUNT_TYPE, type Pass } from '../generated/accounts/pass';
import { getPlaceDecoder, PLACE_ACCOUNT_TYPE, type Place } from '../generated/accounts/place';
import { getRuleSetDecoder, RULE_SET_ACCOUNT_TYPE, type RuleSet } from '../generated/accounts/ruleSet';
import { getVerifierDecoder, VERIFIER_ACCOUNT_TYPE, type Verifier } from '../generated/accounts/verifier';
import { decodeMint, type Mint } from '../token/mint.ts';
import { decodeTokenAccount, type TokenAccount } from '../token/token-account.ts';

/** The source of accounts: an RPC, a deployed program, a commitment. */
export interface ChainReader {
  readonly rpc: Rpc<GetMultipleAccountsApi>;
  readonly program: Address;
  readonly commitment: Commitment;
  readonly signal?: AbortSignal | undefined;
}

/** The state of one address: its lamports, and the account of the requested kind. */
export interface Found<T> {
  readonly address: Address;
  readonly lamports: bigint;
  /** Length of the account's data in bytes. The rent depends on it. */
  readonly space: bigint;
  readonly data: T;
}

/** The newest versions of the layouts by type, if later than 1. An older one has zeros where a newer one has values. */
const NEWEST: Record<number, number> = {
  [CREDENTIAL_ACCOUNT_TYPE]: 2,
  [RULE_SET_ACCOUNT_TYPE]: 2,
  [MINT_BINDING_ACCOUNT_TYPE]: 2,
  [PASS_ACCOUNT_TYPE]: 2,
};

function hasKnownVersion([type = 0, version = 0]: ReadonlyUint8Array): boolean {
  return version > 0 && version <= (NEWEST[type] ?? 1);
}

/** The kinds of account that can be read, each with its decoder, which returns null for other data. */
const KINDS = {
  config: ofProgram<Config>(CONFIG_ACCOUNT_TYPE, getConfigDecoder),
  verifier: ofProgram<Verifier>(VERIFIER_ACCOUNT_TYPE, getVerifierDecoder),
  circuit: ofProgram<Circuit>(CIRCUIT_ACCOUNT_TYPE, getCircuitDecoder),
  credential: ofProgram<Credential>(CREDENTIAL_ACCOUNT_TYPE, getCredentialDecoder),
  ruleSet: ofProgram<RuleSet>(RULE_SET_ACCOUNT_TYPE, getRuleSetDecoder),
  mintBinding: ofProgram<MintBinding>(MINT_BINDING_ACCOUNT_TYPE, getMintBindingDecoder),
  pass: ofProgram<Pass>(PASS_ACCOUNT_TYPE, getPassDecoder),
  place: ofProgram<Place>(PLACE_ACCOUNT_TYPE, getPlaceDecoder),
  mint: ofToken2022<Mint>(decodeMint),
  tokenAccount: ofToken2022<TokenAccount>(decodeTokenAccount),
};

/** A kind of account. */
export type AccountKind = keyof typeof KINDS;
/** The data of an account of a kind. */
export type AccountOf<K extends AccountKind> = NonNullable<ReturnType<(typeof KINDS)[K]>>;

/**
 * Reads several accounts in one request, each as the requested kind. Returns null for an account that is not of its
 * kind. Throws the errors of the RPC.
 */
export async function readAccounts<
  const Wanted extends readonly (readonly [kind: AccountKind, address: Address])[],
>(
  reader: ChainReader,
  wanted: Wanted,
): Promise<{ [I in keyof Wanted]: Found<AccountOf<Wanted[I][0]>> | null }> {
  const accounts = await fetchEncodedAccounts(
    reader.rpc,
    wanted.map(([, address]) => address),
    { commitment: reader.commitment, ...(reader.signal ? { abortSignal: reader.signal } : {}) },
  );
  const found = wanted.map(([kind], index) => decodeAccount(reader.program, kind, accounts[index]!));
  return found as { [I in keyof Wanted]: Found<AccountOf<Wanted[I][0]>> | null };
}

/** Reads one account as the requested kind. Returns null when it is not of that kind. Throws the errors of the RPC. */
export async function readAccount<K extends AccountKind>(
  reader: ChainReader,
  kind: K,
  address: Address,
): Promise<Found<AccountOf<K>> | null> {
  const [found] = await readAccounts(reader, [[kind, address]]);
  return found as Found<AccountOf<K>> | null;
}

/** Decodes an account as the requested kind. Returns null when it is absent, malformed, or of another owner, type or version. */
export function decodeAccount<K extends AccountKind>(
  program: Address,
  kind: K,
  account: MaybeEncodedAccount,
): Found<AccountOf<K>> | null {
  if (!account.exists) return null;
  const data = KINDS[kind](program, account.programAddress, account.data) as AccountOf<K> | null;
  if (!data) return null;
  // Some RPCs leave `space` out.
  return { address: account.address, lamports: account.lamports, space: BigInt(account.data.length), data };
}

/** Returns the kind of an account by its owner, type and version, or null. Its other bytes may be malformed. */
export function programAccountKind(
  program: Address,
  owner: Address,
  data: ReadonlyUint8Array,
): ProgramAccountKind | null {
  const kinds = Object.keys(ACCOUNT_TYPES) as ProgramAccountKind[];
  const kind = kinds.find((each) => ACCOUNT_TYPES[each] === data[0]) ?? null;
  return owner === program && hasKnownVersion(data) ? kind : null;
}

/** The first byte of each account of the program, by its kind. */
export const ACCOUNT_TYPES = {
  config: CONFIG_ACCOUNT_TYPE,
  verifier: VERIFIER_ACCOUNT_TYPE,
  circuit: CIRCUIT_ACCOUNT_TYPE,
  credential: CREDENTIAL_ACCOUNT_TYPE,
  ruleSet: RULE_SET_ACCOUNT_TYPE,
  mintBinding: MINT_BINDING_ACCOUNT_TYPE,
  pass: PASS_ACCOUNT_TYPE,
  place: PLACE_ACCOUNT_TYPE,
} as const satisfies Partial<Record<AccountKind, number>>;

/** A kind of account of the program. */
export type ProgramAccountKind = keyof typeof ACCOUNT_TYPES;

type Decode<T> = (program: Address, owner: Address, data: ReadonlyUint8Array) => T | null;

function ofProgram<T extends { accountType: number; version: number }>(
  type: number,
  makeDecoder: () => Decoder<T>,
): Decode<T> {
  let decoder: Decoder<T> | undefined;
  return (program, owner, data) => {
    if (owner !== program || data[0] !== type || !hasKnownVersion(data)) return null;
    try {
      decoder ??= makeDecoder();
      return decoder.decode(data);
    } catch {
      return null;
    }
  };
}

function ofToken2022<T>(decode: (data: ReadonlyUint8Array) => T | null): Decode<T> {
  return (_program, owner, data) => (owner === TOKEN_2022_PROGRAM ? decode(data) : null);
}
