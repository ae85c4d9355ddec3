/** Token-2022 mints and the binding profile (which mints can be bound to a rule set). */
import { type Address, getAddressDecoder, type ReadonlyUint8Array, unwrapOption } from '@solana/kit';
import { getMintDecoder, getMintSize } from '@solana-program/token';
import { type Extension, readExtensions } from './extensions.ts';
import {
  PAUSABLE,
  PERMANENT_DELEGATE,
  PERMISSIONED_BURN,
  refusalOf,
  TRANSFER_HOOK,
} from './mint-extensions.ts';

const ACCOUNT_TYPE_MINT = 1;

/** A Token-2022 mint; supply in base units. */
export interface Mint {
  readonly authority: Address | null;
  readonly freezeAuthority: Address | null;
  readonly supply: bigint;
  readonly decimals: number;
  /** In the order of the account. */
  readonly extensions: readonly Extension[];
}

/** Decodes the mint in the data of an account that Token-2022 owns. Returns null when the data is not a mint. */
export function decodeMint(data: ReadonlyUint8Array): Mint | null {
  if (data.length < getMintSize()) return null;
  const mint = getMintDecoder().decode(data);
  if (!mint.isInitialized) return null;
  const extensions = data.length === getMintSize() ? [] : readExtensions(data, ACCOUNT_TYPE_MINT);
  if (!extensions) return null;
  return {
    authority: unwrapOption(mint.mintAuthority),
    freezeAuthority: unwrapOption(mint.freezeAuthority),
    supply: mint.supply,
    decimals: mint.decimals,
    extensions,
  };
}

/**
 * Why an issuer cannot bind a mint. `extension` is UNSUPPORTED_MINT_EXTENSIONS, `profile` is MINT_NOT_BINDABLE. The message
 * says what is wrong, then what to do.
 */
export type BindingObstacle = { readonly kind: 'extension' | 'profile'; readonly message: string };

/** Who binds a mint, under which program, and the address of the binding. */
export interface BindingOptions {
  readonly issuer: Address;
  readonly program: Address;
  readonly binding: Address;
}

/** Returns every reason why `issuer` cannot bind a mint under `program`. Empty when the mint meets the binding profile. */
export function bindingObstacles(mint: Mint, options: BindingOptions): BindingObstacle[] {
  const refusals = mint.extensions.flatMap(({ type }) => refusalOf(type) ?? []);
  const obstacles = profileObstacles(mint, options).map((message) => ({ kind: 'profile', message }) as const);
  if (refusals.length === 0) return obstacles;
  const message = `${refusals.join(' ')} Create another mint, because an extension cannot be removed.`;
  return [{ kind: 'extension', message }, ...obstacles];
}

function profileObstacles(mint: Mint, { issuer, program, binding }: BindingOptions): string[] {
  const messages: string[] = [];
  const { authority, freezeAuthority, supply } = mint;
  if (supply !== 0n) messages.push('The mint already has a supply. Bind a mint before you mint tokens.');
  if (authority !== issuer) messages.push('The mint authority is not the wallet. Set it to the wallet.');
  const hook = mint.extensions.find(({ type }) => type === TRANSFER_HOOK);
  messages.push(...(hook ? hookObstacles(hook.value, { issuer, program }) : [NO_HOOK]));
  const delegate = permanentDelegateOf(mint);
  if (delegate && delegate !== issuer && delegate !== binding) {
    messages.push(
      `The permanent delegate is ${delegate}. This delegate must hand its role to the wallet, or give it up.`,
    );
  }
  if (freezeAuthority !== null && freezeAuthority !== issuer) {
    messages.push('The freeze authority is another wallet. Remove it, or set it to the wallet.');
  }
  return messages;
}

const NO_HOOK =
  'The mint has no transfer hook, and it cannot get one later. Create another mint, or use setGate, which needs no hook.';

function hookObstacles(
  value: ReadonlyUint8Array,
  { issuer, program }: Pick<BindingOptions, 'issuer' | 'program'>,
): string[] {
  const [authority, found] = [optionalAddress(value, 0), optionalAddress(value, 32)];
  const messages: string[] = [];
  if (authority && authority !== issuer) {
    messages.push(
      `The transfer hook has the authority ${authority}. This authority must hand its role to the wallet, or give it up.`,
    );
  }
  if (found && found !== program) {
    messages.push(
      authority === issuer
        ? `The transfer hook is the program ${found}. Set it to ${program}, or to none.`
        : 'The transfer hook is not the program of the service. Create another mint.',
    );
  } else if (!found && !authority) {
    messages.push('The transfer hook has no program, and nobody can set it. Create another mint.');
  }
  return messages;
}

/** Returns who can move and burn the tokens of every holder of a mint, or null. */
export const permanentDelegateOf = (mint: Mint): Address | null => firstAddressOf(mint, PERMANENT_DELEGATE);

/** Returns who can pause a mint, or null. */
export const pauseAuthorityOf = (mint: Mint): Address | null => firstAddressOf(mint, PAUSABLE);

/** Returns who must also sign when tokens of a mint are burned, or null. */
export const burnAuthorityOf = (mint: Mint): Address | null => firstAddressOf(mint, PERMISSIONED_BURN);

/** Returns the program that decides about each transfer of a mint, or null. */
export const transferHookOf = (mint: Mint): Address | null => addressIn(mint, TRANSFER_HOOK, 32);

/** Returns whether its authority paused a mint: then nobody can issue, transfer, burn or recover its tokens. */
export function isMintPaused({ extensions }: Mint): boolean {
  // The flag follows the authority.
  return extensions.some(({ type, value }) => type === PAUSABLE && value[32] !== 0);
}

/** Returns the address with which an extension begins. */
const firstAddressOf = (mint: Mint, extension: number): Address | null => addressIn(mint, extension, 0);

function addressIn(mint: Mint, extension: number, offset: number): Address | null {
  const found = mint.extensions.find(({ type }) => type === extension);
  return found ? optionalAddress(found.value, offset) : null;
}

/** Returns the address at an offset. All zeros mean that no address is set. */
export function optionalAddress(data: ReadonlyUint8Array, offset: number): Address | null {
  const bytes = data.slice(offset, offset + 32);
  return bytes.every((byte) => byte === 0) ? null : getAddressDecoder().decode(bytes);
}
