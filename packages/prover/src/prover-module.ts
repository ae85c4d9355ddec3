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
    compiled = WebAssembly.compile(fromBase64(PROVER_WASM));
    compiled.catch(() => {
      compiled = undefined;
    });
  }
  return compiled;
}

/** Decodes in a loop, because an iterator over the text makes two objects for each byte. */
function fromBase64(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = text.charCodeAt(index);
  return bytes;
}
