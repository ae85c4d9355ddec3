/** The sandbox verifier, which replaces a real verifier in development and in tests. */
export type { Listener, ListenOptions } from './listen.ts';
export {
  createSandboxVerifier,
  type SandboxVerifier,
  type SandboxVerifierOptions,
} from './sandbox-verifier.ts';
