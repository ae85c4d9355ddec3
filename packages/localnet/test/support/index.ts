/** Clusters whose slots advance only when a test says so, and short forms of the calls that tests make to them. */
export { messageOf, ownerGuard, withAdditions } from './additions.ts';
export * from './calls.ts';
export { createMint, tokenAccountOf, transferOne } from './tokens.ts';
export { watchedRpc } from './watched-rpc.ts';
