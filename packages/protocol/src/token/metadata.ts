/** The name of a token, in the metadata extension of its mint (Token-2022 and the interface spl-token-metadata). */
import {
  AccountRole,
  type Address,
  addEncoderSizePrefix,
  getAddressDecoder,
  getAddressEncoder,
  getU32Decoder,
  getU32Encoder,
  getUtf8Encoder,
  type Instruction,
  type ReadonlyUint8Array,
} from '@solana/kit';
import { TOKEN_2022_PROGRAM } from '../addresses.ts';
import { type Mint, optionalAddress } from './mint.ts';

/** The name that wallets show for a token. */
export interface TokenName {
  /** 1 to 32 bytes of UTF-8. */
  readonly name: string;
  /** 1 to 10 bytes of UTF-8. */
  readonly symbol: string;
  /** An https URL of a JSON file with a picture and a description, at most 200 bytes. Empty if there is none. */
  readonly uri: string;
  /** Who can change the metadata later; null if nobody can. */
  readonly authority: Address | null;
}

/** The most bytes of each text: those of Metaplex, which wallets expect. */
export const MOST_NAME_BYTES = { name: 32, symbol: 10, uri: 200 } as const;

const METADATA_POINTER = 18;
const TOKEN_METADATA = 19;
/** The discriminators of the interface: the first 8 bytes of SHA-256 of `spl_token_metadata_interface:` and a name. */
const INITIALIZE = [210, 225, 30, 162, 88, 184, 77, 141]; // initialize_account
const UPDATE_AUTHORITY = [215, 228, 166, 228, 84, 100, 86, 123]; // update_the_authority
const NOBODY = new Uint8Array(32);

const text = addEncoderSizePrefix(getUtf8Encoder(), getU32Encoder());

/** Returns the bytes of the value of the extension. */
export function metadataBytes({ name, symbol, uri }: TokenName): number {
  const texts = [name, symbol, uri].reduce((sum, each) => sum + text.encode(each).length, 0);
  return 32 + 32 + texts + 4; // who can change it, the mint, the texts, an empty list of other fields
}

/** Returns the data of the instruction that makes a mint point to itself. Nobody can change the pointer. */
export function metadataPointerData(mint: Address): number[] {
  return [39, 0, ...NOBODY, ...getAddressEncoder().encode(mint)];
}

/** Returns the instructions that name a mint after its initialization. `issuer`, its mint authority, signs. */
export function nameInstructions(mint: Address, issuer: Address, named: TokenName): Instruction[] {
  const change = (accounts: readonly [Address, AccountRole][], data: number[]): Instruction => ({
    programAddress: TOKEN_2022_PROGRAM,
    accounts: accounts.map(([address, role]) => ({ address, role })),
    data: Uint8Array.from(data),
  });
  const texts = [named.name, named.symbol, named.uri].flatMap((each) => [...text.encode(each)]);
  const initialize = change(
    [
      [mint, AccountRole.WRITABLE],
      [issuer, AccountRole.READONLY],
      [mint, AccountRole.READONLY],
      [issuer, AccountRole.READONLY_SIGNER],
    ],
    [...INITIALIZE, ...texts],
  );
  if (named.authority === issuer) return [initialize];
  const authority = named.authority ? getAddressEncoder().encode(named.authority) : NOBODY;
  const handOver = change(
    [
      [mint, AccountRole.WRITABLE],
      [issuer, AccountRole.READONLY_SIGNER],
    ],
    [...UPDATE_AUTHORITY, ...authority],
  );
  return [initialize, handOver];
}

/**
 * Returns the name that a mint has in itself, unchecked: its author can be hostile. Null if the mint has none, if it points to
 * another account, or if the bytes are malformed.
 */
export function tokenNameOf({ extensions }: Mint, mint: Address): TokenName | null {
  const extension = (type: number) => extensions.find((each) => each.type === type)?.value;
  const [pointer, metadata] = [extension(METADATA_POINTER), extension(TOKEN_METADATA)];
  if (!pointer || !metadata || pointer.length < 64 || metadata.length < 64) return null;
  if (optionalAddress(pointer, 32) !== mint || getAddressDecoder().decode(metadata, 32) !== mint) return null;
  const texts = textsIn(metadata, 64);
  if (!texts) return null;
  const [name, symbol, uri] = texts as [string, string, string];
  return { name, symbol, uri, authority: optionalAddress(metadata, 0) };
}

/** Returns the three texts that begin at an offset, or null if they do not fit or are not UTF-8. */
function textsIn(data: ReadonlyUint8Array, offset: number): string[] | null {
  const texts: string[] = [];
  let at = offset;
  while (texts.length < 3) {
    if (at + 4 > data.length) return null;
    const end = at + 4 + getU32Decoder().decode(data, at);
    if (end > data.length) return null;
    try {
      texts.push(new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(data.slice(at + 4, end))));
    } catch {
      return null;
    }
    at = end;
  }
  return texts;
}
