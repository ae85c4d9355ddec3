/** Token-2022 mints, of the binding profile and off it, and token accounts. */

import { createHash } from 'node:crypto';
import { addressBytes } from '@service/contract';
import {
  createTokenAccountInstruction,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  tokenAccountAddress,
} from '@service/protocol';
import { AccountRole, type Address, type Instruction } from '@solana/kit';
import { getCreateAccountInstruction } from '@solana-program/system';
import {
  getInitializeAccount3Instruction,
  getInitializeImmutableOwnerInstruction,
  getInitializeMint2Instruction,
} from '@solana-program/token';
import { addressOf, type Chain, noop, PROGRAM } from './chain.ts';

/** Decimals of the mints of the tests. */
export const DECIMALS = 2;

const NONE = new Uint8Array(32);
/** Bytes before the extensions of a mint or token account. */
const BASE = 166;

/** An extension of a mint: how much room it takes, and the instruction data that initializes it. */
export interface MintExtension {
  readonly bytes: number;
  readonly data: Uint8Array;
}

/** The transfer hook; no authority and this program, unless the arguments say otherwise. */
export function transferHook(
  change: { authority?: Address | null; program?: Address | null } = {},
): MintExtension {
  const { authority = null, program = PROGRAM } = change;
  return extension(64, 36, 0, ...optional(authority), ...optional(program));
}

/** A pointer to the metadata in the mint itself. */
export function metadataPointer(authority: Address, mint: Address): MintExtension {
  return extension(64, 39, 0, ...addressBytes(authority), ...addressBytes(mint));
}

/** Extensions that the binding profile does not allow, each made for an authority. */
export const UNSUPPORTED_EXTENSIONS: Record<string, (authority: Address) => MintExtension> = {
  'transfer fee': (authority) => {
    const key = addressBytes(authority);
    return extension(108, 26, 0, 1, ...key, 1, ...key, ...new Uint8Array(10));
  },
  'mint close authority': (authority) => extension(32, 25, 1, ...addressBytes(authority)),
  'default account state': () => extension(1, 28, 0, 1),
  'non-transferable': () => extension(0, 32),
  'interest bearing': (authority) => extension(52, 33, 0, ...addressBytes(authority), 0, 0),
  'permanent delegate': (authority) => extension(32, 35, ...addressBytes(authority)),
  'confidential transfers': (authority) => extension(65, 27, 0, ...addressBytes(authority), 1, ...NONE),
};

/** Returns an extension whose content has so many bytes, after the four bytes of its type and length. */
function extension(contentBytes: number, ...data: number[]): MintExtension {
  return { bytes: 4 + contentBytes, data: Uint8Array.from(data) };
}

function optional(address: Address | null): Uint8Array {
  return address ? addressBytes(address) : NONE;
}

/** Returns the instruction that creates an account of Token-2022 at the key of a name; `space` is in bytes. */
export async function createTokenProgramAccount(name: string, space: number, lamports: bigint) {
  const [payer, newAccount] = [await noop('payer'), await noop(name)];
  const account = { lamports, space, programAddress: TOKEN_2022_PROGRAM };
  return getCreateAccountInstruction({ payer, newAccount, ...account });
}

/** What a mint is made of. */
export interface MintChange {
  /** Name of the mint's key. */
  mint?: string;
  authority?: string;
  freezeAuthority?: string;
  extensions?: readonly MintExtension[];
  /** Room for what is initialized later, in bytes. */
  spare?: number;
}

/** The instructions that make a mint of the binding profile with the issuer as its authority, unless the arguments say otherwise. */
export async function createMintInstructions(
  change: MintChange,
  rentOf: (bytes: number) => bigint | Promise<bigint>,
): Promise<Instruction[]> {
  const { extensions = [transferHook()], spare = 0, freezeAuthority } = change;
  const mint = await addressOf(change.mint ?? 'mint');
  const space = extensions.length > 0 ? extensions.reduce((sum, { bytes }) => sum + bytes, BASE) : 82;
  return [
    await createTokenProgramAccount(change.mint ?? 'mint', space, await rentOf(space + spare)),
    ...extensions.map(({ data }) => ofMint(mint, data)),
    getInitializeMint2Instruction(
      {
        mint,
        decimals: DECIMALS,
        mintAuthority: await addressOf(change.authority ?? 'issuer'),
        ...(freezeAuthority ? { freezeAuthority: await addressOf(freezeAuthority) } : {}),
      },
      { programAddress: TOKEN_2022_PROGRAM },
    ),
  ];
}

/** Makes that mint; its address. */
export async function addMint(chain: Chain, change: MintChange = {}): Promise<Address> {
  await chain.confirm(createMintInstructions(change, (bytes) => chain.rentOf(bytes)));
  return addressOf(change.mint ?? 'mint');
}

function ofMint(mint: Address, data: Uint8Array): Instruction {
  return {
    programAddress: TOKEN_2022_PROGRAM,
    accounts: [{ address: mint, role: AccountRole.WRITABLE }],
    data,
  };
}

/** The instruction that writes metadata into a mint that points to itself; the issuer signs. */
export async function initializeMetadata(mint: Address): Promise<Instruction> {
  const issuer = await addressOf('issuer');
  const text = (value: string) => {
    const bytes = Buffer.from(value);
    return [bytes.length, 0, 0, 0, ...bytes];
  };
  const discriminator = createHash('sha256')
    .update('spl_token_metadata_interface:initialize_account')
    .digest();
  return {
    programAddress: TOKEN_2022_PROGRAM,
    accounts: [
      { address: mint, role: AccountRole.WRITABLE },
      { address: issuer, role: AccountRole.READONLY },
      { address: mint, role: AccountRole.READONLY },
      { address: issuer, role: AccountRole.READONLY_SIGNER },
    ],
    data: Uint8Array.of(
      ...discriminator.subarray(0, 8),
      ...text('Example Token'),
      ...text('EXT'),
      ...text('https://example.com'),
    ),
  };
}

/** Makes the associated token account of the key of a name, which has ImmutableOwner; its address. */
export async function addTokenAccount(chain: Chain, name: string, mint: Address): Promise<Address> {
  const [payer, owner] = [await addressOf('payer'), await addressOf(name)];
  await chain.confirm(createTokenAccountInstruction({ payer, mint, owner }));
  return tokenAccountAddress({ mint, owner });
}

/** Makes a token account at a key of its own, with ImmutableOwner or without; its address. */
export async function addLooseTokenAccount(
  chain: Chain,
  options: { at: string; owner: string; mint: Address; immutableOwner?: boolean },
): Promise<Address> {
  const { immutableOwner = true } = options;
  const account = await addressOf(options.at);
  // The hook asks for a mark of transfers in each token account: 4 + 1 bytes; ImmutableOwner takes 4 + 0.
  const space = BASE + 5 + (immutableOwner ? 4 : 0);
  const config = { programAddress: TOKEN_2022_PROGRAM };
  await chain.confirm(
    createTokenProgramAccount(options.at, space, chain.rentOf(space)),
    ...(immutableOwner ? [getInitializeImmutableOwnerInstruction({ account }, config)] : []),
    getInitializeAccount3Instruction(
      { account, mint: options.mint, owner: await addressOf(options.owner) },
      config,
    ),
  );
  return account;
}

/** Removes an account past the program. */
export function remove(chain: Chain, address: Address): void {
  chain.write(address, { lamports: 0n, owner: SYSTEM_PROGRAM, data: new Uint8Array() });
}
