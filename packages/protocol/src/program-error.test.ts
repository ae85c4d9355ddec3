import * as system from '@solana-program/system';
import * as token from '@solana-program/token';
import { describe, expect, it } from 'vitest';
import { programErrorOf, SYSTEM_ERRORS, TOKEN_ERRORS } from './program-error.ts';

function namesIn(constants: object, prefix: string): string[] {
  const names: string[] = [];
  for (const [name, code] of Object.entries(constants)) {
    if (name.startsWith(prefix)) names[code as number] = name.slice(prefix.length);
  }
  return names;
}

describe('programErrorOf', () => {
  it('knows the errors of Token-2022 and of the system program as their packages name them', () => {
    expect(TOKEN_ERRORS).toEqual(namesIn(token, 'TOKEN_ERROR__'));
    expect(SYSTEM_ERRORS).toEqual(namesIn(system, 'SYSTEM_ERROR__'));
  });

  it('goes by the program that the action calls', () => {
    expect(programErrorOf('TRANSFER', 1).name).toBe('INSUFFICIENT_FUNDS');
    expect(programErrorOf('CREATE_RULE_SET', 1).name).toBe('RESULT_WITH_NEGATIVE_LAMPORTS');
    expect(programErrorOf('TRANSFER', 6000).name).toBe('INVALID_INSTRUCTION_DATA');
    expect(programErrorOf('PROVE', 5999).name).toBe('CUSTOM_5999');
  });
});
