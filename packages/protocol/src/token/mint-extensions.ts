/**
 * What the binding profile says about each extension of a Token-2022 mint, by its number. The program has the same list
 * in `check_binding_profile`, and a test compares both. An extension that is not listed is refused.
 */

/** An extension: its name in texts, and why a bound mint must not have it. */
interface MintExtension {
  readonly name: string;
  readonly refused?: string;
}

export const DEFAULT_ACCOUNT_STATE = 6;
export const PERMANENT_DELEGATE = 12;
export const TRANSFER_HOOK = 14;
export const PAUSABLE = 26;
export const PERMISSIONED_BURN = 28;

/** The extensions of mints. Those without a reason only restrict tokens or describe them, or are checked by their content. */
export const MINT_EXTENSIONS: Readonly<Record<number, MintExtension>> = {
  1: { name: 'transfer fee', refused: 'withheld fees would reach a wallet without the transfer hook' },
  3: {
    name: 'mint close authority',
    refused: 'a mint that was closed could be created again without the transfer hook',
  },
  4: { name: 'confidential transfers', refused: 'nobody could recover an encrypted balance' },
  [DEFAULT_ACCOUNT_STATE]: { name: 'default account state' },
  9: { name: 'non-transferable' },
  10: { name: 'interest' },
  [PERMANENT_DELEGATE]: { name: 'permanent delegate' },
  [TRANSFER_HOOK]: { name: 'transfer hook' },
  16: {
    name: 'confidential transfer fees',
    refused: 'withheld fees would reach a wallet without the transfer hook',
  },
  18: { name: 'metadata pointer' },
  19: { name: 'metadata' },
  20: { name: 'group pointer' },
  21: { name: 'group' },
  22: { name: 'group member pointer' },
  23: { name: 'group member' },
  24: { name: 'confidential supply', refused: 'the program could not issue tokens' },
  25: { name: 'scaled UI amount' },
  [PAUSABLE]: { name: 'pausable' },
  [PERMISSIONED_BURN]: {
    name: 'permissioned burn',
    refused: 'neither holders nor the issuer could burn tokens without another key',
  },
};

/** Returns why a bound mint must not have an extension, in a sentence. Null if it may have it. */
export function refusalOf(type: number): string | null {
  const extension = MINT_EXTENSIONS[type];
  if (!extension) return `The program does not know the extension of type ${type}.`;
  const { name, refused } = extension;
  return refused ? `A bound mint must not have the extension "${name}" (type ${type}): ${refused}.` : null;
}
