/** The development stack: chain, service and verifier in one process on loopback. */
export { type Deployment, type Stack, type StackOptions, startStack } from './stack.ts';
