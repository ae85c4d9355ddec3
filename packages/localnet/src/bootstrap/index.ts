/** Setting up the protocol on a cluster by transactions, and the development keys to do it with. */
export { type BootstrapOptions, bootstrapProgram } from './bootstrap.ts';
export { type DevelopmentRole, developmentKey } from './keys.ts';
