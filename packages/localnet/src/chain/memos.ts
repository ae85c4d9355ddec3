import { MEMO_PROGRAM, OLD_MEMO_PROGRAM } from './addresses.ts';
import type { CompiledMessage } from './transaction.ts';

const MEMO_PROGRAMS = new Set<string>([OLD_MEMO_PROGRAM, MEMO_PROGRAM]);

/** Returns the memos of a message in the format of a node: `[bytes] text`, joined by `; `. Returns null if it has none. */
export function memosOf(message: CompiledMessage): string | null {
  const memos: string[] = [];
  for (const { programAddressIndex, data } of message.instructions) {
    if (!MEMO_PROGRAMS.has(message.staticAccounts[programAddressIndex] ?? '')) continue;
    memos.push(`[${data?.length ?? 0}] ${textOf(Uint8Array.from(data ?? []))}`);
  }
  return memos.length > 0 ? memos.join('; ') : null;
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return '(unparseable)';
  }
}
