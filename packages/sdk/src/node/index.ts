/**
 * What needs Node, Bun or Deno: files that survive a crash.
 *
 * @module @service/sdk/node
 */
export { fileLedger } from './file-ledger.ts';
