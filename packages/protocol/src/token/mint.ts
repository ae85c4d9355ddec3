/** Token-2022 mints and the binding profile (which mints can be bound to a rule set). */
import { type Address, getAddressDecoder, type ReadonlyUint8Array, unwrapOption } from '@solana/kit';
import { getMintDecoder, getMintSize } from '@solana-program/token';
import { readExtensions } from './extensions.ts';

const ACCOUNT_TYPE_MINT = 1;
const TRANSFER_HOOK = 14;
const METADATA_POINTER = 18;
const TOKEN_METADATA = 19;

/** A Token-2022 mint; supply in base units. */
export interface Mint {
  readonly authority: Address | null;
  readonly freezeAuthority: Address | null;
  readonly supply: bigint;
  readonly decimals: number;
  /** Extension types in the order of the account. */
  readonly extensions: readonly number[];
  /** The transfer hook extension, or null. */
  readonly hook: { readonly authority: Address | null; readonly program: Address | null } | null;
}

/** Decodes the mint in the data of an account that Token-2022 owns. Returns null when the data is not a mint. */
export function decodeMint(data: ReadonlyUint8Array): Mint | null {
  if (data.length < getMintSize()) return null;
  const mint = getMintDecoder().decode(data);
  if (!mint.isInitialized) return null;
  const extensions = data.length === getMintSize() ? [] : readExtensions(data, ACCOUNT_TYPE_MINT);
  if (!extensions) return null;
  const hook = extensions.find(({ type }) => type === TRANSFER_HOOK);
  if (hook && hook.value.length !== 64) return null;
  return {
    authority: unwrapOption(mint.mintAuthority),
    freezeAuthority: unwrapOption(mint.freezeAuthority),
    supply: mint.supply,
    decimals: mint.decimals,
    extensions: extensions.map(({ type }) => type),
    hook: hook
      ? { authority: optionalAddress(hook.value, 0), program: optionalAddress(hook.value, 32) }
      : null,
  };
}

/**
 * Why an issuer cannot bind a mint. `extension` is UNSUPPORTED_MINT_EXTENSIONS, `profile` is MINT_NOT_BINDABLE. The message
 * says what is wrong, then what to do.
 */
export type BindingObstacle = { readonly kind: 'extension' | 'profile'; readonly message: string };

/** Returns every reason why `issuer` cannot bind a mint under `program`. Empty when the mint meets the binding profile. */
export function bindingObstacles(
  mint: Mint,
  options: { issuer: Address; program: Address },
): BindingObstacle[] {
  const obstacles: BindingObstacle[] = [];
  const allowed = [TRANSFER_HOOK, METADATA_POINTER, TOKEN_METADATA];
  const unsupported = mint.extensions.filter((type) => !allowed.includes(type));
  if (unsupported.length > 0) {
    obstacles.push({
      kind: 'extension',
      message: `The mint has extensions of type ${unsupported.join(', ')}. Create a mint without them.`,
    });
  }
  const profile = (holds: boolean, message: string) => {
    if (!holds) obstacles.push({ kind: 'profile', message });
  };
  const { issuer, program } = options;
  profile(mint.supply === 0n, 'The mint already has a supply. Bind a mint before you mint tokens.');
  profile(mint.authority === issuer, 'The mint authority is not the wallet. Set it to the wallet.');
  profile(
    mint.hook?.program === program,
    'The transfer hook is not the program of the service. Create another mint.',
  );
  profile(
    mint.hook !== null && mint.hook.authority === null,
    'The transfer hook has an authority. Remove the authority.',
  );
  profile(
    mint.freezeAuthority === null || mint.freezeAuthority === issuer,
    'The freeze authority is another wallet. Remove it, or set it to the wallet.',
  );
  return obstacles;
}

/** Returns the address at an offset. All zeros mean that no address is set. */
function optionalAddress(data: ReadonlyUint8Array, offset: number): Address | null {
  const bytes = data.slice(offset, offset + 32);
  return bytes.every((byte) => byte === 0) ? null : getAddressDecoder().decode(bytes);
}
