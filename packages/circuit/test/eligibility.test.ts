import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sampled } from '../../../test/support/sample.ts';
import { falseStatements } from './attacks/false-statements.ts';
import { honestCases } from './attacks/honest-cases.ts';
import { reopenings } from './attacks/reopenings.ts';
import { endProver, refusalOf, witnessOf } from './support/prover.ts';
import { named } from './support/scenario.ts';
import { type Claim, contextHashOf } from './support/statement.ts';

/** The statement of eligibility.circom that enforces each claim. */
const STATEMENTS: Readonly<Record<Claim, string>> = {
  limited: 'limited * (1 - limited) === 0;',
  context: 'contextHash === context.out;',
  slot: 'product[slots - 1] === 0;',
  minAgeRange: 'signal minAgeBits[8] <== Num2Bits(8)(minAge);',
  regionRange: 'signal regionBits[8] <== Num2Bits(8)(region);',
  regionMask: 'MaskMember(253, 8, 4)(regionMask, regionBits);',
  statusRange: 'signal statusBits[5] <== Num2Bits(5)(status);',
  statusMask: 'MaskMember(32, 5, 2)(statusMask, statusBits);',
  birthDateRange: 'signal birthDateBits[17] <== Num2Bits(17)(birthDate);',
  age: 'signal ageBits[18] <== Num2Bits(18)(asOf - birthDate - minAge * 512);',
  tag: 'limited * (clauseHashes[slots - 1] - tag) === 0;',
};

// The witness calculator also prints each rejection to the console.
beforeAll(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));
afterAll(endProver);

describe('the witness calculator', () => {
  it.each(named(honestCases()))('accepts %s', async (_, { signals }) => {
    await witnessOf(signals);
  });

  const attacks = named([...falseStatements(), ...reopenings()]);
  it.each(sampled(attacks))('rejects %s at the first false statement', async (_, { signals, claim }) => {
    expect(await refusalOf(signals)).toBe(STATEMENTS[claim]);
    // Signals that only have the context hash of another proof are eligible with their own.
    if (claim === 'context') await witnessOf({ ...signals, contextHash: contextHashOf(signals) });
  });
});
