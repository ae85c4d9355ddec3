import type { Address, Instruction, KeyPairSigner } from '@solana/kit';
import { AccountRole, createNoopSigner } from '@solana/kit';
import { getCreateAccountInstruction } from '@solana-program/system';
import {
  getCreateAssociatedTokenInstruction,
  getInitializeMint2Instruction,
  getMintToCheckedInstruction,
  getThawAccountInstruction,
} from '@solana-program/token';
import { TOKEN_2022_PROGRAM } from '../chain/token-program.ts';

const PROGRAM = { programAddress: TOKEN_2022_PROGRAM };

/** Bytes of a mint with the extension below and no other. */
export const GATED_MINT_BYTES = 171n;

/** DefaultAccountStateExtension, Initialize, Frozen. The library is of the older token program, which has no extensions. */
const STARTS_FROZEN = Uint8Array.of(28, 0, 2);

interface GatedMint {
  readonly mint: KeyPairSigner;
  /** The mint authority and the freeze authority. Pays the rent. */
  readonly issuer: Address;
  readonly decimals: number;
  /** The rent of the mint. */
  readonly lamports: bigint;
}

/** Returns the instructions that create a mint without a transfer hook, whose new token accounts are frozen. */
export function createGatedMintInstructions({ mint, issuer, decimals, lamports }: GatedMint): Instruction[] {
  const payer = createNoopSigner(issuer);
  const size = { lamports, space: GATED_MINT_BYTES };
  const accounts = [{ address: mint.address, role: AccountRole.WRITABLE }];
  const terms = { mint: mint.address, decimals, mintAuthority: issuer, freezeAuthority: issuer };
  return [
    getCreateAccountInstruction({ payer, newAccount: mint, ...size, ...PROGRAM }),
    { ...PROGRAM, accounts, data: STARTS_FROZEN },
    getInitializeMint2Instruction(terms, PROGRAM),
  ];
}

/** What the chain shows of a token account. */
export type TokenAccountState = 'missing' | 'frozen' | 'thawed';

interface GatedIssue {
  readonly mint: Address;
  /** The mint authority, and the freeze authority if the account is not thawed. Pays the rent. */
  readonly issuer: Address;
  readonly owner: Address;
  /** The associated token account of the owner, and its state. */
  readonly token: Address;
  readonly state: TokenAccountState;
  /** Base units. */
  readonly amount: bigint;
  readonly decimals: number;
}

/** Returns the instructions that issue tokens of a mint without a hook. They create and thaw the account before, if needed. */
export function issueGatedInstructions(issue: GatedIssue): Instruction[] {
  const { mint, owner, token, state, amount, decimals } = issue;
  const issuer = createNoopSigner(issue.issuer);
  const creation = { payer: issuer, ata: token, owner, mint, tokenProgram: TOKEN_2022_PROGRAM };
  const minting = { mint, token, mintAuthority: issuer, amount, decimals };
  return [
    ...(state === 'missing' ? [getCreateAssociatedTokenInstruction(creation)] : []),
    ...(state === 'thawed'
      ? []
      : [getThawAccountInstruction({ account: token, mint, owner: issuer }, PROGRAM)]),
    getMintToCheckedInstruction(minting, PROGRAM),
  ];
}
