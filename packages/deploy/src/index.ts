/** Sets up the protocol on any Solana cluster, by transactions only, and sends the transactions of its governance. */
export { circuitOf } from './circuit-of.ts';
export type { DeployProtocolOptions, Protocol } from './deploy-options.ts';
export { deployProtocol } from './deploy-protocol.ts';
export { DeployError, type DeployErrorCode } from './loader/deploy-error.ts';
export { deployInstruction } from './loader/instructions.ts';
export { type DeployRpc, sendAll } from './loader/send.ts';
export { compileDraft, type Draft, type Lifetime } from './loader/sign-draft.ts';
export { createRetryingRpc, createRetryingTransport } from './retrying-rpc.ts';
