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
  AuthorityType,
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeMint2Instruction,
  getSetAuthorityInstruction,
} from '@solana-program/token';
import { TOKEN_2022_PROGRAM } from '../addresses.ts';
import { metadataBytes, metadataPointerData, nameInstructions, type TokenName } from './metadata.ts';

/**
 * What a mint can do besides the transfer hook:
 *
 * - `plain`: nothing. Nobody can take, freeze or pause tokens.
 * - `security`: its binding can recover and redeem tokens, and the issuer can freeze, pause and scale amounts.
 * - `fund`: as `security`, and token accounts are created frozen, until the issuer thaws each.
 */
export type MintTemplate = 'plain' | 'security' | 'fund';

/** Who a mint is for. */
interface MintKeys {
  /** The mint authority until the binding: the wallet that binds the mint. */
  readonly issuer: Address;
  readonly program: Address;
  /** Address of the binding that the mint will have. */
  readonly binding: Address;
}

/** Bytes of a mint with extensions before them: base, padding, account type. */
const BASE_BYTES = 165 + 1;
/** Bytes of the type and the length before the content of an extension. */
const ENTRY_BYTES = 4;

const FROZEN = 2;
/** One, as the eight bytes of a float: amounts are shown as they are until the issuer scales them. */
const FACTOR_OF_ONE = [0, 0, 0, 0, 0, 0, 0xf0, 0x3f];
/** Where the hook has its authority. Zeros: nobody can change the hook. */
const NO_AUTHORITY = new Uint8Array(32);

/** The extensions by template: the bytes of the content, and the data of the instruction that initializes it. */
const EXTENSIONS: Record<
  MintTemplate,
  (keys: MintKeys) => readonly (readonly [bytes: number, data: number[]])[]
> = {
  plain: ({ program }) => [[64, [36, 0, ...NO_AUTHORITY, ...bytesOf(program)]]],
  security: (keys) => [
    [32, [35, ...bytesOf(keys.binding)]],
    [33, [44, 0, ...bytesOf(keys.issuer)]],
    [56, [43, 0, ...bytesOf(keys.issuer), ...FACTOR_OF_ONE]],
    ...EXTENSIONS.plain(keys),
  ],
  fund: (keys) => [[1, [28, 0, FROZEN]], ...EXTENSIONS.security(keys)],
};

/** Options of {@link createBindableMintInstructions}. */
export interface BindableMint extends MintKeys {
  readonly mint: Address;
  readonly decimals: number;
  readonly template: MintTemplate;
  /** The name that the mint has in itself. @default none */
  readonly named?: TokenName | undefined;
}

/** Returns the extensions that exist before the mint is initialized. */
function extensionsOf(mint: BindableMint): ReturnType<(typeof EXTENSIONS)[MintTemplate]> {
  const extensions = EXTENSIONS[mint.template](mint);
  return mint.named ? [[64, metadataPointerData(mint.mint)], ...extensions] : extensions;
}

/** Returns the bytes of a mint before it gets its name. */
const unnamedBytes = (mint: BindableMint) =>
  extensionsOf(mint).reduce((sum, [bytes]) => sum + ENTRY_BYTES + bytes, BASE_BYTES);

/** Returns the bytes of a mint. Its rent depends on them. */
export function bindableMintBytes(mint: BindableMint): number {
  return unnamedBytes(mint) + (mint.named ? ENTRY_BYTES + metadataBytes(mint.named) : 0);
}

/** Returns the instructions that create a mint of the binding profile. `mint` and `payer` sign. */
export function createBindableMintInstructions(
  mint: BindableMint,
  { payer, rentLamports }: { payer: Address; rentLamports: bigint },
): Instruction[] {
  // The mint authority must sign the name. An issuer who does not sign becomes the mint authority after that.
  const namer = mint.named ? payer : mint.issuer;
  return [
    getCreateAccountInstruction({
      payer: createNoopSigner(payer),
      newAccount: createNoopSigner(mint.mint),
      lamports: rentLamports,
      // The token program adds the bytes of the name. The rent is paid for them, too.
      space: unnamedBytes(mint),
      programAddress: TOKEN_2022_PROGRAM,
    }),
    ...extensionsOf(mint).map(([, data]) => ({
      programAddress: TOKEN_2022_PROGRAM,
      accounts: [{ address: mint.mint, role: AccountRole.WRITABLE }],
      data: Uint8Array.from(data),
    })),
    getInitializeMint2Instruction(
      {
        mint: mint.mint,
        decimals: mint.decimals,
        mintAuthority: namer,
        freezeAuthority: mint.template === 'plain' ? null : mint.issuer,
      },
      { programAddress: TOKEN_2022_PROGRAM },
    ),
    ...(mint.named ? nameInstructions(mint.mint, namer, mint.named) : []),
    ...(namer === mint.issuer ? [] : [handOverInstruction(mint, namer)]),
  ];
}

/** Returns the instruction with which a mint authority makes the issuer the mint authority. */
const handOverInstruction = ({ mint, issuer }: BindableMint, from: Address): Instruction =>
  getSetAuthorityInstruction(
    {
      owned: mint,
      owner: createNoopSigner(from),
      authorityType: AuthorityType.MintTokens,
      newAuthority: issuer,
    },
    { programAddress: TOKEN_2022_PROGRAM },
  );

const bytesOf = (address: Address) => getAddressEncoder().encode(address);

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
