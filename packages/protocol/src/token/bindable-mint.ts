/** Instructions that create what the binding profile requires: a mint with the hook, token accounts with a fixed owner. */
import {
  AccountRole,
  type Address,
  createNoopSigner,
  getAddressEncoder,
  type Instruction,
} from '@solana/kit';
import { getCreateAccountInstruction } from '@solana-program/system';
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeMint2Instruction,
} from '@solana-program/token';
import { TOKEN_2022_PROGRAM } from '../addresses.ts';

/** Bytes of a Token-2022 mint with only the TransferHook extension: base, padding, account type, one entry. */
export const BINDABLE_MINT_BYTES = 165 + 1 + 4 + 64;

const TRANSFER_HOOK_EXTENSION = 36;
const INITIALIZE = 0;

/** Returns the instructions that create a mint of the binding profile. `mint` and `payer` sign; rent in lamports for BINDABLE_MINT_BYTES. */
export function createBindableMintInstructions(options: {
  payer: Address;
  mint: Address;
  /** The mint authority until the binding: the wallet that binds the mint. */
  issuer: Address;
  program: Address;
  decimals: number;
  rentLamports: bigint;
}): Instruction[] {
  const hook = new Uint8Array(66);
  hook.set([TRANSFER_HOOK_EXTENSION, INITIALIZE]);
  // 32 zeros: the hook has no authority, so that nobody can change it.
  hook.set(getAddressEncoder().encode(options.program), 34);
  return [
    getCreateAccountInstruction({
      payer: createNoopSigner(options.payer),
      newAccount: createNoopSigner(options.mint),
      lamports: options.rentLamports,
      space: BINDABLE_MINT_BYTES,
      programAddress: TOKEN_2022_PROGRAM,
    }),
    {
      programAddress: TOKEN_2022_PROGRAM,
      accounts: [{ address: options.mint, role: AccountRole.WRITABLE }],
      data: hook,
    },
    getInitializeMint2Instruction(
      { mint: options.mint, decimals: options.decimals, mintAuthority: options.issuer },
      { programAddress: TOKEN_2022_PROGRAM },
    ),
  ];
}

/** Returns the associated token account of an owner for a Token-2022 mint. */
export async function tokenAccountAddress(options: { mint: Address; owner: Address }): Promise<Address> {
  const [found] = await findAssociatedTokenPda({ ...options, tokenProgram: TOKEN_2022_PROGRAM });
  return found;
}

/** Returns the instruction that creates the associated token account (with ImmutableOwner) unless it exists. */
export async function createTokenAccountInstruction(options: {
  payer: Address;
  mint: Address;
  owner: Address;
}): Promise<Instruction> {
  return getCreateAssociatedTokenIdempotentInstruction({
    payer: createNoopSigner(options.payer),
    owner: options.owner,
    mint: options.mint,
    ata: await tokenAccountAddress(options),
    tokenProgram: TOKEN_2022_PROGRAM,
  });
}
