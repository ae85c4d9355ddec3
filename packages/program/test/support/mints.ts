/** Token-2022 mints, of the binding profile and off it, and token accounts. */

import { createHash } from 'node:crypto';
import { addressBytes } from '@service/contract';
import {
  createTokenAccountInstruction,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  tokenAccountAddress,
} from '@service/protocol';
import type { Address, Instruction } from '@solana/kit';
import { getCreateAccountInstruction } from '@solana-program/system';
import {
  getInitializeAccount3Instruction,
  getInitializeImmutableOwnerInstruction,
  getInitializeMint2Instruction,
} from '@solana-program/token';
import { addressOf, type Chain, noop, PROGRAM } from './chain.ts';
import { ofToken2022, token2022 } from './token-instructions.ts';

export const DECIMALS = 2;

const NONE = new Uint8Array(32);
/** Bytes before the extensions of a mint or token account. */
const BASE = 166;

/** The number of bytes that an extension of a mint takes, and the instruction data that initializes it. */
type MintExtension = ReturnType<typeof extension>;

/** The transfer hook of this program, without an authority. */
export function transferHook({
  authority = null as Address | null,
  program = PROGRAM as Address | null,
} = {}) {
  return extension(64, 36, 0, ...optional(authority), ...optional(program));
}

/** A pointer to the metadata in the mint itself. */
export function metadataPointer(authority: Address, mint: Address) {
  return extension(64, 39, 0, ...addressBytes(authority), ...addressBytes(mint));
}

/** A permanent delegate, who can move and burn the tokens of every holder. */
export const permanentDelegate = (delegate: Address) => extension(32, 35, ...addressBytes(delegate));
/** An authority that can pause issues, transfers and burns. */
export const pausable = (authority: Address) => extension(33, 44, 0, ...addressBytes(authority));
/** Tokens that cannot be transferred. */
export const nonTransferable = () => extension(0, 32);
/** The state in which token accounts are created. */
export const defaultState = (state: 'initialized' | 'frozen') =>
  extension(1, 28, 0, state === 'frozen' ? 2 : 1);
const scaledAmount = (authority: Address) =>
  extension(56, 43, 0, ...addressBytes(authority), ...new Uint8Array(new Float64Array([1]).buffer));

/** Extensions that a bound mint may have besides hook and metadata, each made for an authority. */
export const SUPPORTED_EXTENSIONS: Record<string, (authority: Address) => MintExtension> = {
  'default account state': () => defaultState('initialized'),
  'non-transferable': nonTransferable,
  'interest bearing': (authority) => extension(52, 33, 0, ...addressBytes(authority), 0, 0),
  'permanent delegate': permanentDelegate,
  'scaled amounts': scaledAmount,
  pausable,
  'group pointer': (authority) => extension(64, 40, 0, ...addressBytes(authority), ...NONE),
  'group member pointer': (authority) => extension(64, 41, 0, ...addressBytes(authority), ...NONE),
};

/** Returns the supported extensions that one mint can have together: Token-2022 rejects interest with scaled amounts. */
export const extensionsTogether = () =>
  Object.entries(SUPPORTED_EXTENSIONS).flatMap(([name, make]) => (name === 'interest bearing' ? [] : [make]));

/** Extensions that the binding profile does not allow, each made for an authority. */
export const UNSUPPORTED_EXTENSIONS: Record<string, (authority: Address) => MintExtension> = {
  'transfer fee': (authority) => {
    const key = addressBytes(authority);
    return extension(108, 26, 0, 1, ...key, 1, ...key, ...new Uint8Array(10));
  },
  'mint close authority': (authority) => extension(32, 25, 1, ...addressBytes(authority)),
  'confidential transfers': (authority) => extension(65, 27, 0, ...addressBytes(authority), 1, ...NONE),
  'permissioned burn': (authority) => extension(32, 46, 0, ...addressBytes(authority)),
};

/** Returns an extension whose content has so many bytes, after the four bytes of its type and length. */
export function extension(contentBytes: number, ...data: number[]) {
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

/**
 * The instructions that create a mint of the binding profile. `spare` is the number of bytes for what is initialized
 * later.
 */
export async function createMintInstructions(
  {
    mint = 'mint',
    authority = 'issuer',
    freezeAuthority = undefined as string | undefined,
    extensions = [transferHook()] as readonly MintExtension[],
    spare = 0,
  },
  rentOf: (bytes: number) => bigint | Promise<bigint>,
): Promise<Instruction[]> {
  const address = await addressOf(mint);
  const space = extensions.length > 0 ? extensions.reduce((sum, { bytes }) => sum + bytes, BASE) : 82;
  const authorities = {
    mintAuthority: await addressOf(authority),
    ...(freezeAuthority ? { freezeAuthority: await addressOf(freezeAuthority) } : {}),
  };
  return [
    await createTokenProgramAccount(mint, space, await rentOf(space + spare)),
    ...extensions.map(({ data }) => ofToken2022(data, [address])),
    getInitializeMint2Instruction({ mint: address, decimals: DECIMALS, ...authorities }, token2022),
  ];
}

/** Creates a mint of the binding profile, with the issuer as its authority. Returns its address. */
export async function addMint(chain: Chain, change: Parameters<typeof createMintInstructions>[0] = {}) {
  await chain.confirm(createMintInstructions(change, (bytes) => chain.rentOf(bytes)));
  return addressOf(change.mint ?? 'mint');
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
  const texts = ['Example Token', 'EXT', 'https://example.com'].flatMap(text);
  return ofToken2022([...discriminator.subarray(0, 8), ...texts], [mint, issuer, mint, issuer], [issuer]);
}

/** Creates the associated token account of a named key, which has ImmutableOwner. Returns its address. */
export async function addTokenAccount(chain: Chain, name: string, mint: Address): Promise<Address> {
  const [payer, owner] = [await addressOf('payer'), await addressOf(name)];
  await chain.confirm(createTokenAccountInstruction({ payer, mint, owner }));
  return tokenAccountAddress({ mint, owner });
}

/** Creates a token account at a key of its own, with ImmutableOwner or without. Returns its address. */
export async function addLooseTokenAccount(
  chain: Chain,
  {
    at,
    owner,
    mint,
    immutableOwner = true,
  }: { at: string; owner: string; mint: Address; immutableOwner?: boolean },
): Promise<Address> {
  const account = await addressOf(at);
  // The hook requires a mark of transfers in each token account: 4 + 1 bytes. ImmutableOwner takes 4 + 0.
  const space = BASE + 5 + (immutableOwner ? 4 : 0);
  await chain.confirm(
    createTokenProgramAccount(at, space, chain.rentOf(space)),
    ...(immutableOwner ? [getInitializeImmutableOwnerInstruction({ account }, token2022)] : []),
    getInitializeAccount3Instruction({ account, mint, owner: await addressOf(owner) }, token2022),
  );
  return account;
}

export function remove(chain: Chain, address: Address): void {
  chain.write(address, { lamports: 0n, owner: SYSTEM_PROGRAM, data: new Uint8Array() });
}
