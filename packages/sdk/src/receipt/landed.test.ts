import { CREATE_RULE_SET_INSTRUCTION } from '@service/protocol/generated';
import type { Address } from '@solana/kit';
import { expect, it } from 'vitest';
import { ADDRESS as TEXT } from '../../test/support/deployment.ts';
import { readAction } from './landed.ts';

const ADDRESS = TEXT as Address;
const data = Uint8Array.of(CREATE_RULE_SET_INSTRUCTION, 1);
const accounts = Array(16).fill(ADDRESS);

it('reads no action from an instruction with too few accounts or bytes', () => {
  expect(readAction(ADDRESS, { program: ADDRESS, accounts: [], data })).toBeNull();
  expect(readAction(ADDRESS, { program: ADDRESS, accounts, data })).toBeNull();
});

it('does not call an instruction wrong because of a mistake in the code that reads it', () => {
  const read = () => readAction(ADDRESS, { program: ADDRESS, accounts: null as never, data });
  expect(read).toThrow(expect.objectContaining({ code: 'UNEXPECTED_ERROR', cause: expect.any(TypeError) }));
});
