/** Sets up the protocol on any Solana cluster, by transactions only. */
export { circuitOf } from './circuit-of.ts';
export type { DeployProtocolOptions, Protocol } from './deploy-options.ts';
export { deployProtocol } from './deploy-protocol.ts';
export { DeployError, type DeployErrorCode } from './loader/deploy-error.ts';
export { deployInstruction } from './loader/instructions.ts';
export type { DeployRpc } from './loader/send.ts';
export { createRetryingTransport } from './retrying-rpc.ts';
