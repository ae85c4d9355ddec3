/** Addresses of Solana's own programs and accounts, and their order. */
import { type Address, address } from '@solana/kit';

export const SYSTEM_PROGRAM = address('11111111111111111111111111111111');
export const COMPUTE_BUDGET = address('ComputeBudget111111111111111111111111111111');
export const LOOKUP_TABLES = address('AddressLookupTab1e1111111111111111111111111');
export const LOADER = address('BPFLoader2111111111111111111111111111111111');
export const UPGRADEABLE_LOADER = address('BPFLoaderUpgradeab1e11111111111111111111111');
export const ED25519 = address('Ed25519SigVerify111111111111111111111111111');
export const MEMO_PROGRAM = address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');
export const OLD_MEMO_PROGRAM = address('Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo');
export const TOKEN_PROGRAM = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
export const TOKEN_2022_PROGRAM = address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb');
export const ASSOCIATED_TOKEN = address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');
export const CLOCK_SYSVAR = address('SysvarC1ock11111111111111111111111111111111');

/** Programs, sysvars and other accounts that no transaction can write. */
export const RESERVED_ACCOUNTS: ReadonlySet<string> = new Set([
  SYSTEM_PROGRAM,
  COMPUTE_BUDGET,
  LOOKUP_TABLES,
  UPGRADEABLE_LOADER,
  ED25519,
  CLOCK_SYSVAR,
  'BPFLoader1111111111111111111111111111111111',
  LOADER,
  'Config1111111111111111111111111111111111111',
  'Feature111111111111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'LoaderV411111111111111111111111111111111111',
  'NativeLoader1111111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
  'Stake11111111111111111111111111111111111111',
  'StakeConfig11111111111111111111111111111111',
  'Sysvar1111111111111111111111111111111111111',
  'SysvarEpochRewards1111111111111111111111111',
  'SysvarEpochSchedu1e111111111111111111111111',
  'SysvarFees111111111111111111111111111111111',
  'Sysvar1nstructions1111111111111111111111111',
  'SysvarLastRestartS1ot1111111111111111111111',
  'SysvarRecentB1ockHashes11111111111111111111',
  'SysvarRent111111111111111111111111111111111',
  'SysvarRewards111111111111111111111111111111',
  'SysvarS1otHashes111111111111111111111111111',
  'SysvarS1otHistory11111111111111111111111111',
  'SysvarStakeHistory1111111111111111111111111',
  'Vote111111111111111111111111111111111111111',
  'ZkE1Gama1Proof11111111111111111111111111111',
  'ZkTokenProof1111111111111111111111111111111',
]);

/** Compares two addresses in the order of their bytes, without decoding them. */
export function compareAddresses(a: Address, b: Address): number {
  // Base58 is a number whose digits are in the order of their characters. A leading 1 is a byte of zero.
  const [x, y] = [a.replace(/^1+/, ''), b.replace(/^1+/, '')];
  if (x.length !== y.length) return x.length - y.length;
  return x < y ? -1 : Number(x > y);
}
