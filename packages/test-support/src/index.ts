/** Set-up that the tests of several packages share: one file a subject. A whole service in the test process: `@service/test-support/service`. */
export { type PersonalData, passHostedPage } from './hosted-page.ts';
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
export { type RpcWatcher, watchedRpc } from './watched-rpc.ts';
