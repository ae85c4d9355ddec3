import { address } from '@solana/kit';
import { describe, expect, test } from 'vitest';
import { type BindingOptions, bindingObstacles, type Mint, permanentDelegateOf } from './mint.ts';

const key = (byte: number) => new Uint8Array(32).fill(byte);
const NONE = key(0);
const [ISSUER, PROGRAM, BINDING, OTHER] = [
  address('8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR'),
  address('CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8'),
  address('GgBaCs3NCBuZN12kCJgAW63ydqohFkHEdfdEXBPzLHq'),
  address('LbUiWL3xVV8hTFYBVdbTNrpDo41NKS6o3LHHuDzjfcY'),
];
const OPTIONS: BindingOptions = { issuer: ISSUER, program: PROGRAM, binding: BINDING };

const hook = (authority: Uint8Array, program: Uint8Array) => ({
  type: 14,
  value: Uint8Array.of(...authority, ...program),
});
const delegate = (value: Uint8Array) => ({ type: 12, value });
const mintWith = (...extensions: Mint['extensions']): Mint => ({
  authority: ISSUER,
  freezeAuthority: null,
  supply: 0n,
  decimals: 2,
  extensions,
});
const messagesOf = (mint: Mint) => bindingObstacles(mint, OPTIONS).map(({ message }) => message);

describe('the binding profile accepts', () => {
  test.each<[string, Mint]>([
    ['the hook only', mintWith(hook(NONE, key(3)))],
    ['a hook of the issuer, with the program or without one', mintWith(hook(key(2), key(3)))],
    ['a hook of the issuer without a program', mintWith(hook(key(2), NONE))],
    ['the issuer as permanent delegate', mintWith(hook(NONE, key(3)), delegate(key(2)))],
    ['the binding as permanent delegate', mintWith(hook(NONE, key(3)), delegate(key(4)))],
    ['a permanent delegate that was removed', mintWith(hook(NONE, key(3)), delegate(NONE))],
    [
      'what only restricts or describes tokens',
      mintWith(
        hook(NONE, key(3)),
        ...[6, 9, 10, 18, 19, 20, 21, 22, 23, 25, 26].map((type) => ({ type, value: NONE })),
      ),
    ],
  ])('%s', (_, mint) => expect(messagesOf(mint)).toEqual([]));
});

describe('the binding profile says why it refuses', () => {
  test.each<[string, Mint, string]>([
    ['a mint without a hook', mintWith(), 'no transfer hook'],
    ['the hook of another program', mintWith(hook(NONE, key(5))), 'not the program of the service'],
    ['another program that the issuer can replace', mintWith(hook(key(2), key(5))), `Set it to ${PROGRAM}`],
    ['the authority of another', mintWith(hook(key(5), key(3))), `the authority ${OTHER}`],
    ['a hook that nobody can set', mintWith(hook(NONE, NONE)), 'nobody can set it'],
    [
      'the permanent delegate of another',
      mintWith(hook(NONE, key(3)), delegate(key(5))),
      `The permanent delegate is ${OTHER}`,
    ],
    ['an extension', mintWith(hook(NONE, key(3)), { type: 1, value: NONE }), '"transfer fee" (type 1)'],
    ['an unknown extension', mintWith(hook(NONE, key(3)), { type: 29, value: NONE }), 'extension of type 29'],
    ['a supply', { ...mintWith(hook(NONE, key(3))), supply: 1n }, 'has a supply'],
    ['another mint authority', { ...mintWith(hook(NONE, key(3))), authority: OTHER }, 'The mint authority'],
    [
      'another freeze authority',
      { ...mintWith(hook(NONE, key(3))), freezeAuthority: OTHER },
      'The freeze authority',
    ],
  ])('%s', (_, mint, text) => {
    expect(messagesOf(mint)).toEqual([expect.stringContaining(text)]);
  });

  test('with the extensions first, because nobody can remove them', () => {
    const [first, second] = bindingObstacles(mintWith({ type: 3, value: NONE }), OPTIONS);
    expect([first?.kind, second?.kind]).toEqual(['extension', 'profile']);
  });
});

test('the permanent delegate of a mint is an address or none', () => {
  expect(permanentDelegateOf(mintWith(delegate(key(4))))).toBe(BINDING);
  expect(permanentDelegateOf(mintWith(delegate(NONE)))).toBeNull();
  expect(permanentDelegateOf(mintWith())).toBeNull();
});
