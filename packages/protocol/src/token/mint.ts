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

/** The mint in the data of an account owned by Token-2022, or null when there is none. */
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

/** What keeps a mint from being bound by an issuer; `extension` is UNSUPPORTED_MINT_EXTENSIONS, the rest MINT_NOT_BINDABLE. */
export type BindingObstacle = { readonly kind: 'extension' | 'profile'; readonly message: string };

/** Everything that keeps a mint from being bound by `issuer` under `program`; empty when it meets the binding profile. */
export function bindingObstacles(
  mint: Mint,
  options: { issuer: Address; program: Address },
): BindingObstacle[] {
  const obstacles: BindingObstacle[] = [];
  const allowed = [TRANSFER_HOOK, METADATA_POINTER, TOKEN_METADATA];
  const foreign = mint.extensions.filter((type) => !allowed.includes(type));
  if (foreign.length > 0) {
    obstacles.push({ kind: 'extension', message: `the mint has extensions of type ${foreign.join(', ')}` });
  }
  const profile = (holds: boolean, message: string) => {
    if (!holds) obstacles.push({ kind: 'profile', message });
  };
  profile(mint.supply === 0n, 'the mint has a supply already');
  profile(mint.authority === options.issuer, 'the mint authority is not the wallet');
  profile(mint.hook?.program === options.program, 'the transfer hook of the mint is not this program');
  profile(
    mint.hook !== null && mint.hook.authority === null,
    'the transfer hook of the mint has an authority',
  );
  profile(
    mint.freezeAuthority === null || mint.freezeAuthority === options.issuer,
    'the freeze authority is neither none nor the wallet',
  );
  return obstacles;
}

/** An address at an offset; all zeros stand for none. */
function optionalAddress(data: ReadonlyUint8Array, offset: number): Address | null {
  const bytes = data.slice(offset, offset + 32);
  return bytes.every((byte) => byte === 0) ? null : getAddressDecoder().decode(bytes);
}
