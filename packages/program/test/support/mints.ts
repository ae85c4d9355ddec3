/** Token-2022 mints, of the binding profile and off it, and token accounts. */

import { createHash } from 'node:crypto';
import { addressBytes } from '@service/contract';
import {
  createTokenAccountInstruction,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  tokenAccountAddress,
} from '@service/protocol';
import { AccountRole, type Address, createNoopSigner, type Instruction } from '@solana/kit';
import { getCreateAccountInstruction } from '@solana-program/system';
import {
  getInitializeAccount3Instruction,
  getInitializeImmutableOwnerInstruction,
  getInitializeMint2Instruction,
} from '@solana-program/token';
import { addressOf, type Chain, PROGRAM } from './chain.ts';
import { expectDone } from './outcome.ts';

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

/** The transfer hook; no authority and this program, unless told otherwise. */
export function transferHook(
  change: { authority?: Address | null; program?: Address | null } = {},
): MintExtension {
  const { authority = null, program = PROGRAM } = change;
  return { bytes: 4 + 64, data: Uint8Array.of(36, 0, ...optional(authority), ...optional(program)) };
}

/** A pointer to the metadata in the mint itself. */
export function metadataPointer(authority: Address, mint: Address): MintExtension {
  return { bytes: 4 + 64, data: Uint8Array.of(39, 0, ...addressBytes(authority), ...addressBytes(mint)) };
}

/** Extensions that the binding profile does not allow, each made for an authority. */
export const FOREIGN_EXTENSIONS: Record<string, (authority: Address) => MintExtension> = {
  'transfer fee': (authority) => ({
    bytes: 4 + 108,
    data: Uint8Array.of(
      26,
      0,
      1,
      ...addressBytes(authority),
      1,
      ...addressBytes(authority),
      ...new Uint8Array(10),
    ),
  }),
  'mint close authority': (authority) => ({
    bytes: 4 + 32,
    data: Uint8Array.of(25, 1, ...addressBytes(authority)),
  }),
  'default account state': () => ({ bytes: 4 + 1, data: Uint8Array.of(28, 0, 1) }),
  'non-transferable': () => ({ bytes: 4, data: Uint8Array.of(32) }),
  'interest bearing': (authority) => ({
    bytes: 4 + 52,
    data: Uint8Array.of(33, 0, ...addressBytes(authority), 0, 0),
  }),
  'permanent delegate': (authority) => ({
    bytes: 4 + 32,
    data: Uint8Array.of(35, ...addressBytes(authority)),
  }),
  'confidential transfers': (authority) => ({
    bytes: 4 + 65,
    data: Uint8Array.of(27, 0, ...addressBytes(authority), 1, ...NONE),
  }),
};

function optional(address: Address | null): Uint8Array {
  return address ? addressBytes(address) : NONE;
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

/** The instructions that make a mint of the binding profile with the issuer as its authority, unless told otherwise. */
export async function createMintInstructions(
  change: MintChange,
  rentOf: (bytes: number) => bigint | Promise<bigint>,
): Promise<Instruction[]> {
  const { extensions = [transferHook()], spare = 0, freezeAuthority } = change;
  const mint = await addressOf(change.mint ?? 'mint');
  const space = extensions.length > 0 ? extensions.reduce((sum, { bytes }) => sum + bytes, BASE) : 82;
  return [
    getCreateAccountInstruction({
      payer: createNoopSigner(await addressOf('payer')),
      newAccount: createNoopSigner(mint),
      lamports: await rentOf(space + spare),
      space,
      programAddress: TOKEN_2022_PROGRAM,
    }),
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
  expectDone(await chain.send(createMintInstructions(change, (bytes) => chain.rentOf(bytes))));
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
  expectDone(await chain.send(createTokenAccountInstruction({ payer, mint, owner })));
  return tokenAccountAddress({ mint, owner });
}

/** Makes a token account at a key of its own, with ImmutableOwner or without; its address. */
export async function addLooseTokenAccount(
  chain: Chain,
  options: { at: string; owner: string; mint: Address; immutableOwner: boolean },
): Promise<Address> {
  const account = await addressOf(options.at);
  // The hook asks for a mark of transfers in each token account: 4 + 1 bytes; ImmutableOwner takes 4 + 0.
  const space = BASE + 5 + (options.immutableOwner ? 4 : 0);
  const config = { programAddress: TOKEN_2022_PROGRAM };
  const outcome = await chain.send(
    getCreateAccountInstruction({
      payer: createNoopSigner(await addressOf('payer')),
      newAccount: createNoopSigner(account),
      lamports: chain.rentOf(space),
      space,
      programAddress: TOKEN_2022_PROGRAM,
    }),
    ...(options.immutableOwner ? [getInitializeImmutableOwnerInstruction({ account }, config)] : []),
    getInitializeAccount3Instruction(
      { account, mint: options.mint, owner: await addressOf(options.owner) },
      config,
    ),
  );
  expectDone(outcome);
  return account;
}

/** Removes an account past the program. */
export function remove(chain: Chain, address: Address): void {
  chain.write(address, { lamports: 0n, owner: SYSTEM_PROGRAM, data: new Uint8Array() });
}
