/** Setting a protocol up on any Solana RPC, by transactions. */
export { type DeployProtocolOptions, deployProtocol } from './deploy-protocol.ts';
export { DeployError, type DeployErrorCode } from './loader/deploy-error.ts';
export type { Protocol } from './protocol.ts';
export { PROGRAM_FILE, readProgram } from './read-program.ts';
