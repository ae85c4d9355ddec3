export { calculateWitness, contextHashOf, prepareWitness, type Witness } from './calculate-witness.ts';
export { WitnessError, type WitnessErrorCode } from './errors.ts';
export { REPLACED_WASM_SHA256 } from './replaced-wasm.ts';
