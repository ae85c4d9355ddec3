/** Reads the roles from a mint and its extensions. */
import { type Mint, optionalAddress } from '@service/protocol';
import {
  type Address,
  getBase64Decoder,
  getU16Decoder,
  getU64Decoder,
  type ReadonlyUint8Array,
} from '@solana/kit';
import type { MintPowers, MintRole, TransferFee } from './mint-powers.ts';

/** An extension: bytes of its value, and where each role has its address. */
interface KnownExtension {
  /** The number of bytes; undefined if it varies. */
  readonly bytes?: number;
  readonly roles: Readonly<Partial<Record<MintRole, number>>>;
}

const [TRANSFER_FEE, CONFIDENTIAL_TRANSFERS, DEFAULT_STATE, NON_TRANSFERABLE] = [1, 4, 6, 9];
const [HOOK, CONFIDENTIAL_SUPPLY, PAUSABLE] = [14, 24, 26];

/** Every extension of mints in Token-2022, by its type. */
const KNOWN: Readonly<Record<number, KnownExtension>> = {
  [TRANSFER_FEE]: { bytes: 108, roles: { transferFee: 0, withheldFees: 32 } },
  3: { bytes: 32, roles: { close: 0 } },
  [CONFIDENTIAL_TRANSFERS]: { bytes: 65, roles: { confidentialTransfers: 0 } },
  [DEFAULT_STATE]: { bytes: 1, roles: {} },
  [NON_TRANSFERABLE]: { bytes: 0, roles: {} },
  10: { bytes: 52, roles: { interestRate: 0 } },
  12: { bytes: 32, roles: { permanentDelegate: 0 } },
  [HOOK]: { bytes: 64, roles: { hook: 0 } },
  16: { bytes: 129, roles: { confidentialFees: 0 } },
  18: { bytes: 64, roles: { metadataPointer: 0 } },
  19: { roles: { metadata: 0 } },
  20: { bytes: 64, roles: { groupPointer: 0 } },
  21: { bytes: 80, roles: { group: 0 } },
  22: { bytes: 64, roles: { memberPointer: 0 } },
  23: { bytes: 72, roles: {} },
  // The mint authority has its powers.
  [CONFIDENTIAL_SUPPLY]: { bytes: 196, roles: {} },
  25: { bytes: 56, roles: { scaledAmount: 0 } },
  [PAUSABLE]: { bytes: 33, roles: { pause: 0 } },
  28: { bytes: 32, roles: { permissionedBurn: 0 } },
};

const ADDRESS_BYTES = 32;
const FROZEN = 2;
/** Where the key of the auditor begins. */
const AUDITOR = 33;
/** Where each of the two fees begins: the one before an epoch, and the one from it on. */
const [OLDER_FEE, NEWER_FEE] = [72, 90];

/** What a mint itself says of its powers. */
export type MintRoles = Pick<
  MintPowers,
  | 'roles'
  | 'transferHook'
  | 'isPaused'
  | 'startsFrozen'
  | 'isTransferable'
  | 'transferFee'
  | 'auditor'
  | 'isSupplyEncrypted'
  | 'unknownExtensions'
>;

/**
 * Returns the roles of a mint. An extension of an unknown type or layout is listed as unknown. `epoch` returns the present
 * one, which decides which fee transfers have.
 */
export function mintRolesOf(mint: Mint, epoch: () => bigint): MintRoles {
  const known = new Map<number, ReadonlyUint8Array>();
  const unknownExtensions: number[] = [];
  const roles: Partial<Record<MintRole, Address | null>> = {
    mint: mint.authority,
    freeze: mint.freezeAuthority,
  };
  for (const { type, value } of mint.extensions) {
    const layout = KNOWN[type];
    if (!layout || !fits(value, layout)) {
      unknownExtensions.push(type);
      continue;
    }
    known.set(type, value);
    for (const [role, offset] of Object.entries(layout.roles))
      roles[role as MintRole] = optionalAddress(value, offset);
  }
  const hook = known.get(HOOK);
  const fee = known.get(TRANSFER_FEE);
  const confidential = known.get(CONFIDENTIAL_TRANSFERS);
  return {
    roles,
    transferHook: hook ? optionalAddress(hook, ADDRESS_BYTES) : null,
    isPaused: known.get(PAUSABLE)?.[ADDRESS_BYTES] === 1,
    startsFrozen: known.get(DEFAULT_STATE)?.[0] === FROZEN,
    isTransferable: !known.has(NON_TRANSFERABLE),
    transferFee: fee ? feeOf(fee, epoch()) : null,
    auditor: confidential ? auditorOf(confidential) : null,
    isSupplyEncrypted: known.has(CONFIDENTIAL_SUPPLY),
    unknownExtensions,
  };
}

function feeOf(value: ReadonlyUint8Array, epoch: bigint): MintRoles['transferFee'] {
  const [older, newer] = [feeAt(value, OLDER_FEE), feeAt(value, NEWER_FEE)];
  const fromEpoch = getU64Decoder().decode(value, NEWER_FEE);
  return fromEpoch <= epoch
    ? { current: newer, next: null }
    : { current: older, next: { ...newer, fromEpoch } };
}

/** Returns the fee at an offset, after its epoch. */
function feeAt(value: ReadonlyUint8Array, offset: number): TransferFee {
  const maximum = getU64Decoder().decode(value, offset + 8);
  return { basisPoints: getU16Decoder().decode(value, offset + 16), maximum };
}

/** Returns the key of the auditor. All zeros mean that there is none. */
function auditorOf(value: ReadonlyUint8Array): string | null {
  const key = value.slice(AUDITOR);
  return key.some((byte) => byte !== 0) ? getBase64Decoder().decode(key) : null;
}

function fits({ length }: ReadonlyUint8Array, { bytes, roles }: KnownExtension): boolean {
  return bytes === undefined ? length >= Object.keys(roles).length * ADDRESS_BYTES : length === bytes;
}
