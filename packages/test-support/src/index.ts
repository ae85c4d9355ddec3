/** What the tests of several packages share about the local chain. A whole service: `@service/test-support/service`. */
export {
  errorOf,
  fundedWallet,
  land,
  memoInstruction,
  type Signed,
  SOL,
  sendRaw,
  sign,
  statusOf,
  stillLocalnet,
  transferInstruction,
} from './localnet.ts';
