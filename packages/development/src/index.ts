/** The development stack: chain, service and verifier in one process on loopback. */
export { ClusterError, type ClusterErrorCode } from './cluster/cluster-error.ts';
export { DataFolderError } from './data-folder/data-folder.ts';
export type { Deployment } from './deployment.ts';
export { type Stack, type StackOptions, startStack } from './stack.ts';
