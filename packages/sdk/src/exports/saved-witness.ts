export { openWitness, saveWitness } from '../saved-witness/saved-witness.ts';
