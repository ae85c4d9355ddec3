import { readArtifacts } from '@service/circuit';
import { compactKey } from '@service/circuit/compact-key';
import { proverModule } from '../../src/index.ts';

/** The committed artifacts of the circuit. */
export const { wasm: witnessCalculator, zkey, vkey } = await readArtifacts();

/** The compact key of the circuit. */
export const key = compactKey(zkey);

/** The committed module of the prover, compiled. */
export const module = await proverModule();
