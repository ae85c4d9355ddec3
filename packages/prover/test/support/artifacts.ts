import { readFileSync } from 'node:fs';
import { readArtifacts } from '@service/circuit';
import { compactKey } from '../../src/key/compact-key.ts';

/** The committed artifacts of the circuit. */
export const { wasm: witnessCalculator, zkey, vkey } = await readArtifacts();

/** The compact key of the circuit. */
export const key = compactKey(zkey);

/** The committed prover.wasm, compiled. */
export const module = await WebAssembly.compile(
  readFileSync(new URL('../../artifact/prover.wasm', import.meta.url)),
);
