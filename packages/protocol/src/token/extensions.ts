/** The extension list of Token-2022 accounts: after 165 bytes and one byte of account type, entries of type u16, length u16, value. */
import type { ReadonlyUint8Array } from '@solana/kit';

const BASE_BYTES = 165;

/** One extension of a Token-2022 account. */
export interface Extension {
  readonly type: number;
  readonly value: ReadonlyUint8Array;
}

/** Returns the extensions in the data of a Token-2022 account of the given account type, or null when the data is malformed. */
export function readExtensions(data: ReadonlyUint8Array, accountType: number): Extension[] | null {
  if (data.length <= BASE_BYTES || data[BASE_BYTES] !== accountType) return null;
  const view = new DataView(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);
  const extensions: Extension[] = [];
  let offset = BASE_BYTES + 1;
  while (offset + 4 <= data.length) {
    const type = view.getUint16(offset, true);
    if (type === 0) break;
    const end = offset + 4 + view.getUint16(offset + 2, true);
    if (end > data.length) return null;
    extensions.push({ type, value: data.slice(offset + 4, end) });
    offset = end;
  }
  return extensions;
}
