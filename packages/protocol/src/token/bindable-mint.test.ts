import { address, getAddressEncoder, type ReadonlyUint8Array } from '@solana/kit';
import { describe, expect, test } from 'vitest';
import { bindableMintBytes, createBindableMintInstructions, type MintTemplate } from './bindable-mint.ts';

const key = (byte: number) => new Uint8Array(32).fill(byte);
const [MINT, ISSUER, PROGRAM, BINDING] = [
  address('4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T'),
  address('8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR'),
  address('CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8'),
  address('GgBaCs3NCBuZN12kCJgAW63ydqohFkHEdfdEXBPzLHq'),
];
const bytes = (value: ReadonlyUint8Array | undefined) => [...value!];
const made = (template: MintTemplate) => {
  const mint = { mint: MINT, issuer: ISSUER, program: PROGRAM, binding: BINDING, decimals: 2, template };
  const instructions = createBindableMintInstructions(mint, { payer: ISSUER, rentLamports: 5n });
  return { size: bindableMintBytes(mint), data: instructions.map(({ data }) => bytes(data)) };
};

const issuer = [...key(2)];
const createAccount = (space: number) => [
  ...[0, 0, 0, 0],
  ...[5, 0, 0, 0, 0, 0, 0, 0],
  ...[space & 255, space >> 8, 0, 0, 0, 0, 0, 0],
  ...getAddressEncoder().encode(address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')),
];
const hook = [36, 0, ...key(0), ...key(3)];
const delegate = [35, ...key(4)];
const pausable = [44, 0, ...issuer];
const scaled = [43, 0, ...issuer, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f];
const frozen = [28, 0, 2];
const initialize = (freeze: boolean) => [20, 2, ...issuer, ...(freeze ? [1, ...issuer] : [0])];

describe('a mint of the template', () => {
  test('plain has the hook only, and no freeze authority', () => {
    expect(made('plain')).toEqual({ size: 234, data: [createAccount(234), hook, initialize(false)] });
  });
  test('security has the binding as permanent delegate, and can be paused, scaled and frozen', () => {
    const data = [createAccount(367), delegate, pausable, scaled, hook, initialize(true)];
    expect(made('security')).toEqual({ size: 367, data });
  });
  test('fund also has token accounts that are created frozen', () => {
    const data = [createAccount(372), frozen, delegate, pausable, scaled, hook, initialize(true)];
    expect(made('fund')).toEqual({ size: 372, data });
  });
});
