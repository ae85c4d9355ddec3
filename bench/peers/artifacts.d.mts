export function artifactFiles(): Record<'wasm' | 'zkey', string>;
