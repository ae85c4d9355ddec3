import {
  calculateWitness,
  type Witness,
  WitnessError,
  type WitnessErrorCode,
} from '@service/circuit/witness';
import type { Outcome } from './circom-calculator.ts';
import { asInput } from './scenario.ts';
import type { Signals } from './statement.ts';

/** Why a calculator rejects signals of the right shape. */
export type Rejection = Exclude<WitnessErrorCode, 'INPUT_MALFORMED'>;

const REGION = 'MaskMember(253, 8, 4)(regionMask, regionBits);';
const STATUS = 'MaskMember(32, 5, 2)(statusMask, statusBits);';
const BITS = 'signal bit[maskBits] <== Num2Bits(maskBits)(mask);';
const MEMBER = 'member === 1;';

/** The statements of the circuit that reject the signals of each code, the innermost last. */
export const STATEMENTS: Readonly<Record<Rejection, readonly string[]>> = {
  LIMITED_RANGE: ['limited * (1 - limited) === 0;'],
  CONTEXT_HASH: ['contextHash === context.out;'],
  CLAUSE_HASH: ['product[slots - 1] === 0;'],
  MIN_AGE_RANGE: ['signal minAgeBits[8] <== Num2Bits(8)(minAge);'],
  REGION_RANGE: ['signal regionBits[8] <== Num2Bits(8)(region);'],
  REGION_MASK_RANGE: [REGION, BITS],
  REGION_NOT_ACCEPTED: [REGION, MEMBER],
  STATUS_RANGE: ['signal statusBits[5] <== Num2Bits(5)(status);'],
  STATUS_MASK_RANGE: [STATUS, BITS],
  STATUS_NOT_ACCEPTED: [STATUS, MEMBER],
  BIRTH_DATE_RANGE: ['signal birthDateBits[17] <== Num2Bits(17)(birthDate);'],
  AGE_NOT_REACHED: ['signal ageBits[18] <== Num2Bits(18)(asOf - birthDate - minAge * 512);'],
  PERSON_TAG: ['limited * (clauseHashes[slots - 1] - tag) === 0;'],
};

/** Returns what the calculator of this package does, in circom's words. */
export function own(signals: Signals): Witness | Extract<Outcome, { rejectedBy: unknown }> {
  const outcome = witnessOrCode(signals);
  return typeof outcome === 'string' ? { rejectedBy: STATEMENTS[outcome] } : outcome;
}

/** Returns the witness of the calculator of this package, or the code of its error. */
export function witnessOrCode(signals: Signals): Witness | Rejection {
  try {
    return calculateWitness(asInput(signals));
  } catch (error) {
    if (!(error instanceof WitnessError) || error.code === 'INPUT_MALFORMED') throw error;
    return error.code;
  }
}
