import { getAddressDecoder, getBase64Decoder } from '@solana/kit';
import { expect, it } from 'vitest';
import { readExtensions } from './extensions.ts';

const key = (byte: number) => new Uint8Array(32).fill(byte);
const addressOf = (byte: number) => getAddressDecoder().decode(key(byte));
const base64 = (bytes: number, byte: number) => getBase64Decoder().decode(new Uint8Array(bytes).fill(byte));
const [A, B, NONE] = [key(1), key(2), key(0)];
const [a, b] = [addressOf(1), addressOf(2)];

function number(bytes: number, value: number | bigint): Uint8Array {
  const data = new Uint8Array(bytes);
  for (let index = 0; index < bytes; index++)
    data[index] = Number((BigInt(value) >> BigInt(8 * index)) & 255n);
  return data;
}
const u64 = (value: number | bigint) => number(8, value);
const f64 = (value: number) => new Uint8Array(new Float64Array([value]).buffer);
const filled = (bytes: number, byte: number) => new Uint8Array(bytes).fill(byte);
const text = (value: string) => {
  const bytes = new TextEncoder().encode(value);
  return Uint8Array.of(...number(4, bytes.length), ...bytes);
};
const fee = (epoch: number) => [u64(epoch), u64(epoch + 1), number(2, epoch + 2)];
const feeOf = (epoch: bigint) => ({
  epoch,
  maximumFee: epoch + 1n,
  transferFeeBasisPoints: Number(epoch + 2n),
});

/** Returns an extension as it is in an account. */
function tlv(type: number, ...parts: Uint8Array[]): Uint8Array {
  const data = parts.flatMap((part) => [...part]);
  return Uint8Array.of(...number(2, type), ...number(2, data.length), ...data);
}

type Row = [type: number, kind: 'mint' | 'account', name: string, parts: Uint8Array[], state?: object];

const ROWS: Row[] = [
  [
    1,
    'mint',
    'transferFeeConfig',
    [A, NONE, u64(2n ** 63n), ...fee(5), ...fee(9)],
    {
      transferFeeConfigAuthority: a,
      withdrawWithheldAuthority: null,
      withheldAmount: 2n ** 63n,
      olderTransferFee: feeOf(5n),
      newerTransferFee: feeOf(9n),
    },
  ],
  [2, 'account', 'transferFeeAmount', [u64(7)], { withheldAmount: 7n }],
  [3, 'mint', 'mintCloseAuthority', [NONE], { closeAuthority: null }],
  [
    4,
    'mint',
    'confidentialTransferMint',
    [A, number(1, 1), NONE],
    { authority: a, autoApproveNewAccounts: true, auditorElgamalPubkey: null },
  ],
  [
    5,
    'account',
    'confidentialTransferAccount',
    [
      number(1, 1),
      A,
      ...[1, 2, 3].map((byte) => filled(64, byte)),
      filled(36, 4),
      number(1, 1),
      number(1, 0),
    ].concat([1, 2, 3, 4].map(u64)),
    {
      approved: true,
      elgamalPubkey: base64(32, 1),
      pendingBalanceLo: base64(64, 1),
      pendingBalanceHi: base64(64, 2),
      availableBalance: base64(64, 3),
      decryptableAvailableBalance: base64(36, 4),
      allowConfidentialCredits: true,
      allowNonConfidentialCredits: false,
      pendingBalanceCreditCounter: 1n,
      maximumPendingBalanceCreditCounter: 2n,
      expectedPendingBalanceCreditCounter: 3n,
      actualPendingBalanceCreditCounter: 4n,
    },
  ],
  [6, 'mint', 'defaultAccountState', [number(1, 2)], { accountState: 'frozen' }],
  [7, 'account', 'immutableOwner', []],
  [8, 'account', 'memoTransfer', [number(1, 1)], { requireIncomingTransferMemos: true }],
  [9, 'mint', 'nonTransferable', []],
  [
    10,
    'mint',
    'interestBearingConfig',
    [A, u64(100), number(2, -5), u64(200), number(2, 300)],
    {
      rateAuthority: a,
      initializationTimestamp: 100n,
      preUpdateAverageRate: -5,
      lastUpdateTimestamp: 200n,
      currentRate: 300,
    },
  ],
  [11, 'account', 'cpiGuard', [number(1, 0)], { lockCpi: false }],
  [12, 'mint', 'permanentDelegate', [A], { delegate: a }],
  [13, 'account', 'nonTransferableAccount', []],
  [14, 'mint', 'transferHook', [A, NONE], { authority: a, programId: null }],
  [15, 'account', 'transferHookAccount', [number(1, 0)], { transferring: false }],
  [
    16,
    'mint',
    'confidentialTransferFeeConfig',
    [NONE, B, number(1, 1), filled(64, 9)],
    {
      authority: null,
      withdrawWithheldAuthorityElgamalPubkey: base64(32, 2),
      harvestToMintEnabled: true,
      withheldAmount: base64(64, 9),
    },
  ],
  [17, 'account', 'confidentialTransferFeeAmount', [filled(64, 0)], { withheldAmount: base64(64, 0) }],
  [18, 'mint', 'metadataPointer', [A, B], { authority: a, metadataAddress: b }],
  [
    19,
    'mint',
    'tokenMetadata',
    [A, B, text('Näme\0'), text(''), text('u'), number(4, 1), text('k'), text('v')],
    { updateAuthority: a, mint: b, name: 'Näme\0', symbol: '', uri: 'u', additionalMetadata: [['k', 'v']] },
  ],
  [20, 'mint', 'groupPointer', [NONE, B], { authority: null, groupAddress: b }],
  [
    21,
    'mint',
    'tokenGroup',
    [A, B, u64(1), u64(10)],
    { updateAuthority: a, mint: b, size: 1n, maxSize: 10n },
  ],
  [22, 'mint', 'groupMemberPointer', [A, NONE], { authority: a, memberAddress: null }],
  [23, 'mint', 'tokenGroupMember', [A, B, u64(3)], { mint: a, group: b, memberNumber: 3n }],
  [
    24,
    'mint',
    'confidentialMintBurn',
    [filled(64, 1), filled(36, 2), A, filled(64, 3)],
    {
      confidentialSupply: base64(64, 1),
      decryptableSupply: base64(36, 2),
      supplyElgamalPubkey: base64(32, 1),
      pendingBurn: base64(64, 3),
    },
  ],
  [
    25,
    'mint',
    'scaledUiAmountConfig',
    [A, f64(1.5), u64(-1), f64(1e21)],
    {
      authority: a,
      multiplier: '1.5',
      newMultiplierEffectiveTimestamp: -1n,
      newMultiplier: '1000000000000000000000',
    },
  ],
  [26, 'mint', 'pausableConfig', [A, number(1, 1)], { authority: a, paused: true }],
  [27, 'account', 'pausableAccount', []],
];

it.each(ROWS)('reads extension %i of a %s: %s', (type, kind, extension, parts, state) => {
  const expected = { extension, ...(state && { state }) };
  // Zeros follow in an account with more space.
  const bytes = Uint8Array.of(...tlv(7), ...tlv(type, ...parts), 0, 0, 0, 0);
  expect(readExtensions(bytes, kind)).toEqual([{ extension: 'immutableOwner' }, expected]);
  if (!state) return;
  const unparseable = [{ extension: 'unparseableExtension' }];
  expect(readExtensions(tlv(type, ...parts.slice(0, -1)), kind)).toEqual(unparseable);
  expect(readExtensions(tlv(type, ...parts), kind === 'mint' ? 'account' : 'mint')).toEqual(unparseable);
});

it.each([
  ['none', []],
  ['an unknown type', [...tlv(28, u64(1))]],
  ['a length after the end', [...tlv(7), ...tlv(2, u64(1)).subarray(0, 11)]],
  ['half of a length', [...tlv(7), 2, 0, 8]],
])('reads %s as an empty list', (_, bytes) => {
  expect(readExtensions(Uint8Array.from(bytes), 'account')).toEqual([]);
});
