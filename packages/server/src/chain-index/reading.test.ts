import type { Address } from '@solana/kit';
import { expect, it } from 'vitest';
import { RpcAnswerError } from '../rpc/answers.ts';
import { type Reader, readSome } from './reading.ts';

const ADDRESS = '11111111111111111111111111111111' as Address;

/** Reads an account whose data is a text of an RPC. */
function read(text: string) {
  const account = { data: [text, 'base64'], lamports: 1n, owner: ADDRESS };
  const send = async () => ({ context: { slot: 5n }, value: [account] });
  const rpc = { getMultipleAccounts: () => ({ send }) };
  const reader = { rpc, settings: { program: ADDRESS } } as unknown as Reader;
  return readSome(reader, [ADDRESS], { minSlot: 1n, signal: new AbortController().signal });
}

it.each([
  ['a character that is not base64', 'AAA*'],
  ['a character of base64url', 'AA-A'],
  ['a missing end', 'AAAAA'],
  ['bits after the last byte', 'AB=='],
])('rejects data with %s, instead of losing the account', async (_what, text) => {
  await expect(read(text)).rejects.toThrow(RpcAnswerError);
  expect(await read('AAAA')).toMatchObject({ gone: [ADDRESS] });
});
