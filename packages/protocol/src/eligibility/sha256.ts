import { hexOf } from '../hex.ts';

/** Returns SHA-256 of concatenated parts. Uses WebCrypto, which browsers offer only on secure pages. */
export async function sha256(...parts: readonly Uint8Array[]): Promise<Uint8Array> {
  const bytes = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

/** Returns SHA-256 of concatenated parts, as 64 lowercase hex digits. */
export async function sha256Hex(...parts: readonly Uint8Array[]): Promise<string> {
  return hexOf(await sha256(...parts));
}
