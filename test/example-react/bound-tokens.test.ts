/** Which tokens the holder page of the example lists. */
import type { MintBinding, Passport } from '@service/sdk';
import { type Address, generateKeyPairSigner } from '@solana/kit';
import { expect, it } from 'vitest';
import {
  boundIn,
  heldUnlisted,
  isByCreator,
  tokensOf,
} from '../../examples/react/src/holder/tokens/use-bound-tokens.ts';

const [creator, stranger, rule] = await Promise.all(times(3, newAddress));

async function newAddress(): Promise<Address> {
  return (await generateKeyPairSigner()).address;
}

function times<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}

async function bindingBy(issuer: Address): Promise<MintBinding> {
  const [address, mint] = await Promise.all([newAddress(), newAddress()]);
  return { address, mint, rule: rule!, issuer, requireSource: false };
}

const passportWith = (...bindings: MintBinding[]) =>
  ({ bindings, ruleSets: [{ address: rule, name: 'Adults', creator }] }) as unknown as Passport;

it('lists what the creator of a rule set issues, and of others only what the wallet holds', async () => {
  const [genuine, junk, held] = await Promise.all([creator, stranger, stranger].map((by) => bindingBy(by!)));
  const bound = boundIn(passportWith(genuine!, junk!, held!));
  const balances = new Map([
    [held!.mint, 5n],
    [junk!.mint, 0n],
  ]);
  const tokens = tokensOf(bound, balances);
  expect(tokens.map(({ binding, balance }) => [binding.mint, balance])).toEqual([
    [genuine!.mint, null],
    [held!.mint, 5n],
  ]);
  expect(tokens.map(isByCreator)).toEqual([true, false]);
});

it('looks up the binding of what the wallet holds beside the passport', async () => {
  const [listed, beside, empty] = await Promise.all(times(3, () => bindingBy(creator!)));
  const balances = new Map([
    [listed!.mint, 5n],
    [beside!.mint, 5n],
    [empty!.mint, 0n],
  ]);
  expect(heldUnlisted(boundIn(passportWith(listed!)), balances)).toEqual([beside!.mint]);
});
