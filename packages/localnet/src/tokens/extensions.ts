/** The extensions of Token-2022 in the format of a node. */
import {
  addDecoderSizePrefix,
  type Decoder,
  fixDecoderSize,
  getAddressDecoder,
  getArrayDecoder,
  getBase64Decoder,
  getBooleanDecoder,
  getBytesDecoder,
  getF64Decoder,
  getI16Decoder,
  getI64Decoder,
  getNullableDecoder,
  getStructDecoder,
  getTupleDecoder,
  getU8Decoder,
  getU16Decoder,
  getU32Decoder,
  getU64Decoder,
  transformDecoder,
} from '@solana/kit';
import { plainNumber } from './ui-amount.ts';

export interface Extension {
  extension: string;
  state?: unknown;
}

/** The kind of account that can have an extension. */
type Kind = 'mint' | 'account';

interface ExtensionType {
  name: string;
  kind: Kind;
  /** Decodes the data. Undefined for an extension without data. */
  decoder?: Decoder<unknown> & { fixedSize?: number };
}

const OPTIONAL = { prefix: null, noneValue: 'zeroes' } as const;
const address = getAddressDecoder();
const optional = getNullableDecoder(address, OPTIONAL);
const bool = getBooleanDecoder();
const [u64, i64, i16] = [getU64Decoder(), getI64Decoder(), getI16Decoder()];
const base64 = (bytes: number) => fixDecoderSize(getBase64Decoder(), bytes);
const [key, ciphertext] = [base64(32), base64(64)];
const multiplier = transformDecoder(getF64Decoder(), plainNumber);
// kit's own decoder of UTF-8 would drop null characters.
const text = transformDecoder(addDecoderSizePrefix(getBytesDecoder(), getU32Decoder()), (bytes) =>
  new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes)),
);

type Fields = Record<string, Decoder<unknown>>;
const struct = (fields: Fields) => getStructDecoder(Object.entries(fields));
const typeFor = (kind: Kind) => (name: string, fields?: Fields) =>
  ({ name, kind, ...(fields && { decoder: struct(fields) }) }) as ExtensionType;
const [mint, account] = [typeFor('mint'), typeFor('account')];

const fee = struct({ epoch: u64, maximumFee: u64, transferFeeBasisPoints: getU16Decoder() });

/** Returns the name of the state of a token account. */
export function stateName(state: number): string {
  return ['uninitialized', 'initialized', 'frozen'][state] ?? 'uninitialized';
}

/** Every type of extension. Its index is the number of the type. */
const TYPES: readonly ExtensionType[] = [
  mint('uninitialized'),
  mint('transferFeeConfig', {
    transferFeeConfigAuthority: optional,
    withdrawWithheldAuthority: optional,
    withheldAmount: u64,
    olderTransferFee: fee,
    newerTransferFee: fee,
  }),
  account('transferFeeAmount', { withheldAmount: u64 }),
  mint('mintCloseAuthority', { closeAuthority: optional }),
  mint('confidentialTransferMint', {
    authority: optional,
    autoApproveNewAccounts: bool,
    auditorElgamalPubkey: getNullableDecoder(key, OPTIONAL),
  }),
  account('confidentialTransferAccount', {
    approved: bool,
    elgamalPubkey: key,
    pendingBalanceLo: ciphertext,
    pendingBalanceHi: ciphertext,
    availableBalance: ciphertext,
    decryptableAvailableBalance: base64(36),
    allowConfidentialCredits: bool,
    allowNonConfidentialCredits: bool,
    pendingBalanceCreditCounter: u64,
    maximumPendingBalanceCreditCounter: u64,
    expectedPendingBalanceCreditCounter: u64,
    actualPendingBalanceCreditCounter: u64,
  }),
  mint('defaultAccountState', { accountState: transformDecoder(getU8Decoder(), stateName) }),
  account('immutableOwner'),
  account('memoTransfer', { requireIncomingTransferMemos: bool }),
  mint('nonTransferable'),
  mint('interestBearingConfig', {
    rateAuthority: optional,
    initializationTimestamp: i64,
    preUpdateAverageRate: i16,
    lastUpdateTimestamp: i64,
    currentRate: i16,
  }),
  account('cpiGuard', { lockCpi: bool }),
  mint('permanentDelegate', { delegate: optional }),
  account('nonTransferableAccount'),
  mint('transferHook', { authority: optional, programId: optional }),
  account('transferHookAccount', { transferring: bool }),
  mint('confidentialTransferFeeConfig', {
    authority: optional,
    withdrawWithheldAuthorityElgamalPubkey: getNullableDecoder(key, OPTIONAL),
    harvestToMintEnabled: bool,
    withheldAmount: ciphertext,
  }),
  account('confidentialTransferFeeAmount', { withheldAmount: ciphertext }),
  mint('metadataPointer', { authority: optional, metadataAddress: optional }),
  mint('tokenMetadata', {
    updateAuthority: optional,
    mint: address,
    name: text,
    symbol: text,
    uri: text,
    additionalMetadata: getArrayDecoder(getTupleDecoder([text, text])),
  }),
  mint('groupPointer', { authority: optional, groupAddress: optional }),
  mint('tokenGroup', { updateAuthority: optional, mint: address, size: u64, maxSize: u64 }),
  mint('groupMemberPointer', { authority: optional, memberAddress: optional }),
  mint('tokenGroupMember', { mint: address, group: address, memberNumber: u64 }),
  mint('confidentialMintBurn', {
    confidentialSupply: ciphertext,
    decryptableSupply: base64(36),
    supplyElgamalPubkey: key,
    pendingBurn: ciphertext,
  }),
  mint('scaledUiAmountConfig', {
    authority: optional,
    multiplier,
    newMultiplierEffectiveTimestamp: i64,
    newMultiplier: multiplier,
  }),
  mint('pausableConfig', { authority: optional, paused: bool }),
  account('pausableAccount'),
];

/**
 * Reads the extensions of a mint or a token account. As on a node, data of a wrong length is
 * `unparseableExtension`, and a type that is not known makes the list empty.
 */
export function readExtensions(bytes: Uint8Array, kind: Kind): Extension[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found: Extension[] = [];
  let start = 0;
  while (start + 2 <= bytes.length) {
    const number = view.getUint16(start, true);
    if (number === 0) break;
    const type = TYPES[number];
    if (!type || start + 4 > bytes.length) return [];
    const end = start + 4 + view.getUint16(start + 2, true);
    if (end > bytes.length) return [];
    found.push(readExtension(type, bytes.subarray(start + 4, end), kind));
    start = end;
  }
  return found;
}

function readExtension({ name, kind, decoder }: ExtensionType, data: Uint8Array, of: Kind): Extension {
  if (!decoder) return { extension: name };
  const isWhole = kind === of && (decoder.fixedSize ?? data.length) === data.length;
  try {
    if (isWhole) return { extension: name, state: decoder.decode(data) };
  } catch {
    // The data ends too early, or a text in it is not UTF-8.
  }
  return { extension: 'unparseableExtension' };
}
