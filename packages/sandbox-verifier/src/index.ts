/** The sandbox verifier, which replaces a real verifier in development and in tests. */
export type { Listener, ListenOptions } from './listen.ts';
export type { SandboxVerifierOptions } from './options.ts';
export { createSandboxVerifier, type SandboxVerifier } from './sandbox-verifier.ts';
