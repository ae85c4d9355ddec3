/** The gate of a mint in this program: the two lists that it stores, and whether a mint can have a gate. */
import type { Address, MaybeEncodedAccount, ReadonlyUint8Array } from '@solana/kit';
import { TOKEN_2022_PROGRAM } from '../addresses.ts';
import { CAN_FREEZE_DISCRIMINATOR } from '../generated/instructions/canFreeze';
import { CAN_THAW_DISCRIMINATOR } from '../generated/instructions/canThaw';
import { findFreezeListPda } from '../generated/pdas/freezeList';
import { findThawListPda } from '../generated/pdas/thawList';
import { type GateList, getGateListDecoder } from '../generated/types/gateList';
import { hexOf } from '../hex.ts';
import { decodeMint } from '../token/mint.ts';
import { DEFAULT_ACCOUNT_STATE } from '../token/mint-extensions.ts';

/** First 8 bytes of SHA-256("service:v1:gate"). */
const GATE = '99ef82ecf1d5511b';
/** Bytes of a list, whose question has two accounts. */
const LIST_BYTES = 229;
const VERSION = 1;

const FROZEN = 2;

/** A list of a gate: the one of `can-thaw`, or the one of `can-freeze`. */
export type GateListKind = 'thawList' | 'freezeList';

/** The first 8 bytes of each list. */
export const GATE_LIST_TYPES: Readonly<Record<GateListKind, ReadonlyUint8Array>> = {
  thawList: CAN_THAW_DISCRIMINATOR,
  freezeList: CAN_FREEZE_DISCRIMINATOR,
};

/** The first byte of the flag whether granted passes count, in a list. */
export const GATE_HONOURS_GRANTED_OFFSET = 100;

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
    decodeGateList(program, 'thawList', thawList),
    decodeGateList(program, 'freezeList', freezeList),
  ];
  const isSame = thaw && freeze && thaw.mint === freeze.mint && thaw.rule === freeze.rule;
  return isSame && thaw.honoursGranted === freeze.honoursGranted ? thaw : null;
}

/** Decodes one list of a gated mint. Returns null when the account is absent or anything else. */
export function decodeGateList(
  program: Address,
  kind: GateListKind,
  account: MaybeEncodedAccount,
): Gate | null {
  if (!account.exists || account.programAddress !== program || account.data.length !== LIST_BYTES)
    return null;
  const list = listIn(account.data);
  if (!list || hexOf(list.listType) !== hexOf(GATE_LIST_TYPES[kind]) || hexOf(list.gateType) !== GATE)
    return null;
  const { version, honoursGranted, mint, rule } = list;
  return version === 0 || version > VERSION ? null : { honoursGranted, mint, rule };
}

function listIn(data: ReadonlyUint8Array): GateList | null {
  try {
    return getGateListDecoder().decode(data);
  } catch {
    return null;
  }
}

/** What a gate needs to know of a mint. */
export interface GateableMint {
  readonly freezeAuthority: Address | null;
  /** Whether the mint has a state of new token accounts, which Token ACL requires. It cannot be added later. */
  readonly hasDefaultState: boolean;
  /** Whether new token accounts are frozen. */
  readonly isFrozenByDefault: boolean;
  /** Base units. */
  readonly supply: bigint;
}

/** Decodes a Token-2022 mint. Returns null when the account is absent or anything else. */
export function decodeGateableMint(account: MaybeEncodedAccount): GateableMint | null {
  if (!account.exists || account.programAddress !== TOKEN_2022_PROGRAM) return null;
  const mint = decodeMint(account.data);
  if (!mint) return null;
  const state = mint.extensions.find(({ type }) => type === DEFAULT_ACCOUNT_STATE);
  return {
    freezeAuthority: mint.freezeAuthority,
    supply: mint.supply,
    hasDefaultState: state !== undefined,
    isFrozenByDefault: state?.value[0] === FROZEN,
  };
}
