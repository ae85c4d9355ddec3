/** Addresses of Solana's own programs and accounts. */
import { address } from '@solana/kit';

export const SYSTEM_PROGRAM = address('11111111111111111111111111111111');
export const COMPUTE_BUDGET = address('ComputeBudget111111111111111111111111111111');
export const LOOKUP_TABLES = address('AddressLookupTab1e1111111111111111111111111');
export const UPGRADEABLE_LOADER = address('BPFLoaderUpgradeab1e11111111111111111111111');
export const ED25519 = address('Ed25519SigVerify111111111111111111111111111');
export const MEMO_PROGRAM = address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');
export const OLD_MEMO_PROGRAM = address('Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo');
export const TOKEN_PROGRAM = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
export const TOKEN_2022_PROGRAM = address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb');
export const ASSOCIATED_TOKEN = address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');
export const CLOCK_SYSVAR = address('SysvarC1ock11111111111111111111111111111111');
