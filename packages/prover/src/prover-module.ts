import { PROVER_WASM } from './generated/prover-wasm.ts';

let compiled: Promise<WebAssembly.Module> | undefined;

/**
 * Compiles the prover's WebAssembly; later calls return the same module. It needs `wasm-unsafe-eval` in a content security
 * policy.
 *
 * @throws WebAssembly.CompileError if a policy forbids it
 */
export function proverModule(): Promise<WebAssembly.Module> {
  if (!compiled) {
    const bytes = Uint8Array.from(atob(PROVER_WASM), (character) => character.charCodeAt(0));
    compiled = WebAssembly.compile(bytes);
    compiled.catch(() => {
      compiled = undefined;
    });
  }
  return compiled;
}
