/** The ranges of the peers, and what is tested of them. `npm run campaign -- peers` runs this file again, with the lowest kit. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as kit from '@solana/kit';
import { expect, it } from 'vitest';
import { DEVELOPED, OTHERS } from '../package/consumers.ts';

const read = (path: string) => JSON.parse(readFileSync(join(import.meta.dirname, '../..', path), 'utf8'));
const root = read('package.json');
const sdk = read('packages/sdk/package.json');
const testing = read('packages/testing/package.json');

/** The lowest version of each part of a range such as `^6.5.0 || ^7.0.0`. */
const lowestOf = (range: string) => range.split(' || ').map((part) => part.replace('^', ''));
const major = (version: string) => version.split('.')[0];

const peers = Object.entries<string>({ ...sdk.peerDependencies, ...testing.peerDependencies }).filter(
  ([peer]) => !peer.startsWith('@service/'),
);

it('the lowest version of each peer is tested', () => {
  const lowest = Object.fromEntries(peers.map(([peer, range]) => [peer, lowestOf(range)[0]]));
  expect(root.devDependencies['kit-lowest']).toBe(`npm:@solana/kit@${lowest['@solana/kit']}`);
  expect(OTHERS.find(({ name }) => name === 'lowest')?.dependencies).toMatchObject(lowest);
});

it('each major version in the ranges is tested', () => {
  for (const [peer, range] of peers) {
    const versions = [DEVELOPED, ...OTHERS].flatMap(({ dependencies }) => dependencies[peer] ?? []);
    const tested = versions.map(major);
    expect(lowestOf(range).map(major).sort()).toEqual([...new Set(tested)].sort());
  }
});

it('the packages accept the same versions of kit', () => {
  expect(testing.peerDependencies['@solana/kit']).toBe(sdk.peerDependencies['@solana/kit']);
});

it('this run has the kit that it should have', () => {
  // Kit 8 has no function of this name any more.
  expect('createEmptyClient' in kit).toBe(process.env.KIT === 'lowest');
});
