/** The development stack: everything that the service needs, in one process on loopback. */
export { type Deployment, type Stack, type StackOptions, startStack } from './stack.ts';
