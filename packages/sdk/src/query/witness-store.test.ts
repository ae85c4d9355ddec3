import type { Address } from '@solana/kit';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ADDRESS } from '../../test/support/deployment.ts';
import { createWitnessStore, type WitnessStorage } from './witness-store.ts';

const wallet = ADDRESS as Address;
const witness = {
  wallet,
  region: 'FR',
  status: 'retail',
  birthDate: '1990-05-17',
  salt: `${2n ** 130n}`,
  person: `${2n ** 131n}`,
};
const KEY = `service:witness:${wallet}`;

let kept: Map<string, string>;
let storage: WitnessStorage;
beforeEach(() => {
  kept = new Map();
  storage = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
});
afterEach(() => void vi.unstubAllGlobals());

it.each([
  ['is no JSON', '{'],
  ['is no list', '{"wallet":1}'],
  ['has no witness', '[1,null,{"salt":"1"}]'],
])('drops what the storage has if it %s', (_kind, stored) => {
  kept.set(KEY, stored);
  const store = createWitnessStore();
  store.keep(wallet, storage);
  expect(store.of(wallet)).toBeNull();
  expect(kept.size).toBe(0);
});

it('keeps the witness in the storage if the SDK cannot read it because of its own mistake', () => {
  const stored = JSON.stringify([witness]);
  kept.set(KEY, stored);
  const store = createWitnessStore();
  vi.stubGlobal('BigInt', undefined);
  expect(() => store.keep(wallet, storage)).toThrow();
  expect(kept.get(KEY)).toBe(stored);
  vi.unstubAllGlobals();
  store.keep(wallet, storage);
  expect(store.of(wallet)).toEqual(witness);
});

it.each(['getItem', 'setItem', 'removeItem'] as const)(
  'holds the witness in memory if %s of the storage throws',
  (method) => {
    vi.stubGlobal('location', {
      hash: `#witness=${btoa(JSON.stringify(witness))}`,
      pathname: '/',
      search: '',
    });
    vi.stubGlobal('history', { replaceState: () => undefined });
    const store = createWitnessStore();
    store.take();
    const blocked = () => {
      throw new Error('blocked');
    };
    store.keep(wallet, { ...storage, [method]: blocked });
    expect(store.of(wallet)).toEqual(witness);
  },
);

it('says that the witness may still be in a storage that throws, and drops it from memory', () => {
  kept.set(KEY, JSON.stringify([witness]));
  const store = createWitnessStore();
  store.keep(wallet, storage);
  const removeItem = () => {
    throw new Error('blocked');
  };
  const error = { code: 'INVALID_ARGUMENT', context: { field: 'storage' } };
  expect(() => store.forget(wallet, { ...storage, removeItem })).toThrow(expect.objectContaining(error));
  expect(store.of(wallet)).toBeNull();
});
