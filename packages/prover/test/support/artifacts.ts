import { readArtifacts } from '@service/circuit';
import { proverModule } from '../../src/index.ts';
import { compactKey } from '../../src/key/compact-key.ts';

/** The committed artifacts of the circuit. */
export const { wasm: witnessCalculator, zkey, vkey } = await readArtifacts();

/** The compact key of the circuit. */
export const key = compactKey(zkey);

/** The committed module of the prover, compiled. */
export const module = await proverModule();
