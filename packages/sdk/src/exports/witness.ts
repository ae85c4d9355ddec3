export { parseWitness, parseWitnessFragment, takeWitnessFromLocation } from '../eligibility/witness.ts';
