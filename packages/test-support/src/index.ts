/** Set-up that the tests of several packages share. `@service/test-support/service` runs a whole service in the test process. */
export { messageOf, ownerGuard, withAdditions } from './additions.ts';
export { type PersonalData, passHostedPage } from './hosted-page.ts';
export * from './localnet.ts';
export { createMint, tokenAccountOf, transferOne } from './tokens.ts';
export { watchedRpc } from './watched-rpc.ts';
