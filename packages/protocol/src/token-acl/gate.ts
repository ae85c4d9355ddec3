/** The gate of a mint in this program: the two lists that it stores, and whether a mint can have a gate. */
import { type Address, getAddressDecoder, type MaybeEncodedAccount, unwrapOption } from '@solana/kit';
import { getMintDecoder, getMintSize } from '@solana-program/token';
import { TOKEN_2022_PROGRAM } from '../addresses.ts';
import { findFreezeListPda } from '../generated/pdas/freezeList';
import { findThawListPda } from '../generated/pdas/thawList';
import { hexOf } from '../hex.ts';
import { readExtensions } from '../token/extensions.ts';

/** First bytes of a list: the discriminator of its question. */
const CAN_THAW = '08afa981894a3df1';
const CAN_FREEZE = 'd68d6d4bf8012d1d';
/** First 8 bytes of SHA-256("service:v1:gate"). */
const GATE = '99ef82ecf1d5511b';
/** The list of a question with two accounts, the type of the second entry, and its length. */
const GATE_AT = 8 + 4 + 4 + 2 * 35;
const FIELDS_AT = GATE_AT + 8 + 4;
const LIST_BYTES = FIELDS_AT + 3 + 2 * 32 + 64;
const VERSION = 1;

const ACCOUNT_TYPE_MINT = 1;
const DEFAULT_ACCOUNT_STATE = 6;
const FROZEN = 2;

/** The rule set of a gated mint. */
export interface Gate {
  readonly mint: Address;
  /** The rule set whose pass a holder needs. */
  readonly rule: Address;
  /** Whether passes that the creator of the rule set granted count. */
  readonly honoursGranted: boolean;
}

/** Derives the addresses of the two lists of a gated mint. */
export async function gateListAddresses(
  program: Address,
  mint: Address,
): Promise<{ readonly thawList: Address; readonly freezeList: Address }> {
  const at = { programAddress: program };
  const [[thawList], [freezeList]] = await Promise.all([
    findThawListPda({ mint }, at),
    findFreezeListPda({ mint }, at),
  ]);
  return { thawList, freezeList };
}

/**
 * Decodes the two lists of a gated mint. Returns null unless both exist, and name the same rule set. `set-gate` writes
 * both.
 */
export function decodeGate(
  program: Address,
  thawList: MaybeEncodedAccount,
  freezeList: MaybeEncodedAccount,
): Gate | null {
  const [thaw, freeze] = [
    decodeList(program, thawList, CAN_THAW),
    decodeList(program, freezeList, CAN_FREEZE),
  ];
  const isSame = thaw && freeze && thaw.mint === freeze.mint && thaw.rule === freeze.rule;
  return isSame && thaw.honoursGranted === freeze.honoursGranted ? thaw : null;
}

function decodeList(program: Address, account: MaybeEncodedAccount, discriminator: string): Gate | null {
  if (!account.exists || account.programAddress !== program) return null;
  const { data } = account;
  const hasAt = (offset: number, hex: string) => hexOf(data.slice(offset, offset + 8)) === hex;
  if (data.length !== LIST_BYTES || !hasAt(0, discriminator) || !hasAt(GATE_AT, GATE)) return null;
  const version = data[FIELDS_AT]!;
  if (version === 0 || version > VERSION) return null;
  const addressAt = (offset: number) => getAddressDecoder().decode(data, FIELDS_AT + offset);
  return { honoursGranted: data[FIELDS_AT + 2] !== 0, mint: addressAt(3), rule: addressAt(35) };
}

/** What a gate needs to know of a mint. */
export interface GateableMint {
  readonly freezeAuthority: Address | null;
  /** Whether the mint has a state of new token accounts, which Token ACL requires. It cannot be added later. */
  readonly hasDefaultState: boolean;
  /** Whether new token accounts are frozen. */
  readonly isFrozenByDefault: boolean;
}

/** Decodes a Token-2022 mint. Returns null when the account is absent or anything else. */
export function decodeGateableMint(account: MaybeEncodedAccount): GateableMint | null {
  if (!account.exists || account.programAddress !== TOKEN_2022_PROGRAM) return null;
  const { data } = account;
  if (data.length < getMintSize()) return null;
  const mint = getMintDecoder().decode(data);
  const extensions = data.length === getMintSize() ? [] : readExtensions(data, ACCOUNT_TYPE_MINT);
  if (!mint.isInitialized || !extensions) return null;
  const state = extensions.find(({ type }) => type === DEFAULT_ACCOUNT_STATE);
  return {
    freezeAuthority: unwrapOption(mint.freezeAuthority),
    hasDefaultState: state !== undefined,
    isFrozenByDefault: state?.value[0] === FROZEN,
  };
}
