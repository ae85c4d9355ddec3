/** Mints and transfers of both token programs, which have the same instructions. */
import { TOKEN_2022_PROGRAM } from '@service/protocol';
import {
  AccountRole,
  type Address,
  generateKeyPairSigner,
  getAddressEncoder,
  type KeyPairSigner,
} from '@solana/kit';
import { getCreateAccountInstruction } from '@solana-program/system';
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenInstructionAsync,
  getInitializeMint2Instruction,
  getMintToInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token';
import type { StillLocalnet } from './calls.ts';

const DECIMALS = 6;
const MINT_BYTES = 82;
/** A Token-2022 mint with the transfer hook extension. */
const HOOKED_MINT_BYTES = 234;

/** Returns the associated token account of an owner. */
export async function tokenAccountOf(tokenProgram: Address, mint: Address, owner: Address): Promise<Address> {
  return (await findAssociatedTokenPda({ tokenProgram, mint, owner }))[0];
}

interface MintOptions {
  program: Address;
  holders?: readonly Address[];
  /** Needs Token-2022. */
  hook?: Address;
  /** Whether the payer can freeze accounts. */
  freezes?: boolean;
}

/** Creates a mint with 1.5 tokens of the payer, and empty accounts of the holders. */
export async function createMint(
  net: StillLocalnet,
  payer: KeyPairSigner,
  { program, holders = [], hook, freezes = false }: MintOptions,
): Promise<Address> {
  const newAccount = await generateKeyPairSigner();
  const mint = newAccount.address;
  const space = BigInt(hook ? HOOKED_MINT_BYTES : MINT_BYTES);
  const lamports = await net.rpc.getMinimumBalanceForRentExemption(space).send();
  const config = { programAddress: program };
  const token = await tokenAccountOf(program, mint, payer.address);
  const accounts = [payer.address, ...holders].map((owner) =>
    getCreateAssociatedTokenInstructionAsync({ payer, owner, mint, tokenProgram: program }),
  );
  await net.land(
    [payer, newAccount],
    [
      getCreateAccountInstruction({ payer, newAccount, lamports, space, programAddress: program }),
      ...(hook ? [initializeTransferHook(mint, payer.address, hook)] : []),
      getInitializeMint2Instruction(
        {
          mint,
          decimals: DECIMALS,
          mintAuthority: payer.address,
          ...(freezes && { freezeAuthority: payer.address }),
        },
        config,
      ),
      ...(await Promise.all(accounts)),
      getMintToInstruction({ mint, token, mintAuthority: payer, amount: 1_500_000n }, config),
    ],
  );
  return mint;
}

/** Returns the instruction that transfers one token between associated accounts. */
export async function transferOne(program: Address, mint: Address, authority: KeyPairSigner, to: Address) {
  const source = await tokenAccountOf(program, mint, authority.address);
  const destination = await tokenAccountOf(program, mint, to);
  const input = { source, mint, destination, authority, amount: 1_000_000n, decimals: DECIMALS };
  return getTransferCheckedInstruction(input, { programAddress: program });
}

function initializeTransferHook(mint: Address, authority: Address, hook: Address) {
  const bytesOf = getAddressEncoder().encode;
  return {
    programAddress: TOKEN_2022_PROGRAM,
    accounts: [{ address: mint, role: AccountRole.WRITABLE }],
    data: new Uint8Array([36, 0, ...bytesOf(authority), ...bytesOf(hook)]),
  };
}
