/** Finds the addresses in sentences. */
import { expect, it } from 'vitest';
import { splitAddresses } from '../../examples/react/src/powers/split-addresses.ts';

const ADDRESS = '7cqE6AS4cxp6bj3NQ3iX4su4xcDtMQNitRVR21RirKVi';

it('splits a text at its addresses, and loses nothing', () => {
  const text = `The issuer (${ADDRESS}) can freeze ${ADDRESS}.`;
  const parts = splitAddresses(text);
  expect(parts.map((part) => part.text).join('')).toBe(text);
  expect(parts.filter(({ isAddress }) => isAddress)).toEqual([
    { text: ADDRESS, isAddress: true },
    { text: ADDRESS, isAddress: true },
  ]);
});

it.each(['no address', `${ADDRESS}${ADDRESS}`, 'O'.repeat(40)])('leaves %j as it is', (text) => {
  expect(splitAddresses(text)).toEqual([{ text, isAddress: false }]);
});
