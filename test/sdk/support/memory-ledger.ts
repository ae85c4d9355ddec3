import type { IssueLedger } from '@service/sdk/chain';

/** A ledger whose lines survive a kill that a test simulates. */
export function memoryLedger(lines: string[] = []): IssueLedger & { readonly lines: string[] } {
  return {
    lines,
    read: async () => [...lines],
    async append(line, number) {
      if (number !== lines.length) throw new Error('another call uses the ledger');
      lines.push(line);
    },
  };
}
