/** What the example stores, also in a browser that refuses it. */
import { afterEach, beforeEach, expect, it } from 'vitest';

import { local, session } from '../../examples/react/src/site/storage.ts';
import { createKeptList } from '../../examples/react/src/site/store.ts';
import { applyTheme } from '../../examples/react/src/site/theme.ts';

const storages = { localStorage: globalThis.localStorage, sessionStorage: globalThis.sessionStorage };
type Name = keyof typeof storages;

/** Replaces a global storage by what a getter returns. */
const define = (name: Name, get: () => Storage) =>
  Object.defineProperty(globalThis, name, { get, configurable: true });

beforeEach(() => {
  for (const storage of Object.values(storages)) storage.clear();
});
afterEach(() => {
  for (const name of Object.keys(storages) as Name[]) define(name, () => storages[name]);
});

const throws = (): never => {
  throw new DOMException('The operation is insecure.', 'SecurityError');
};
const full = { getItem: () => 'old', setItem: throws, removeItem: throws } as unknown as Storage;

it.each([
  [local, 'localStorage'],
  [session, 'sessionStorage'],
] as const)('is that of the browser', (storage, name) => {
  expect(storage.getItem('key')).toBeNull();
  storage.setItem('key', 'a value');
  expect(storages[name].getItem('key')).toBe('a value');
  expect(storage.getItem('key')).toBe('a value');
  storage.removeItem('key');
  expect(storages[name].length).toBe(0);
});

it.each<[how: string, get: () => Storage]>([
  ['throws at the first look', throws],
  ['is undefined', () => undefined as unknown as Storage],
])('lasts until the page is left, if the storage %s', (how, get) => {
  for (const name of Object.keys(storages) as Name[]) define(name, get);
  for (const storage of [local, session]) {
    expect(storage.getItem('a key')).toBeNull();
    storage.setItem('a key', 'a value');
    expect(storage.getItem('a key')).toBe('a value');
    storage.removeItem('a key');
    expect(storage.getItem('a key')).toBeNull();
  }
  local.setItem('theme', 'dark');
  applyTheme();
  expect(document.documentElement.dataset.theme).toBe('dark');
  const list = createKeptList<number>(how);
  list.change((all) => [...all, 1]);
  list.change((all) => [...all, 2]);
  expect(list.get()).toEqual([1, 2]);
});

it('shows the newest value while the storage is full, and the stored one afterwards', () => {
  define('localStorage', () => full);
  local.setItem('other', 'new');
  expect(local.getItem('other')).toBe('new');
  local.removeItem('other');
  expect(local.getItem('other')).toBeNull();
  define('localStorage', () => storages.localStorage);
  local.setItem('other', 'stored');
  storages.localStorage.setItem('other', 'by another tab');
  expect(local.getItem('other')).toBe('by another tab');
});
