/**
 * Stores ledgers in files that survive a crash. Needs Node, Bun or Deno.
 *
 * @module @service/sdk/node
 */
export { fileLedger } from './file-ledger.ts';
