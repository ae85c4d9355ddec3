import type { Address } from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AccountState, AccountVersions, type BaseAccounts } from './account-versions.ts';

const OWNERS = ['ownerA', 'ownerB'] as [Address, Address];
const ADDRESSES = ['a', 'b', 'c', 'd'] as Address[];
const [FIRST, SECOND] = ADDRESSES as [Address, Address];

function state(lamports: bigint, owner = OWNERS[0]): AccountState {
  return { lamports, owner, data: new Uint8Array(), executable: false };
}

/** Returns accounts of genesis and of later writes, as litesvm has them. */
function machine(...genesis: [Address, AccountState][]) {
  const now = new Map(genesis);
  const base: BaseAccounts = {
    read: (address) => now.get(address) ?? null,
    ownedBy: (owner) =>
      [...now]
        .filter(([, each]) => each.owner === owner)
        .map(([address, each]) => ({ address, state: each })),
  };
  return { now, versions: new AccountVersions(base, 0n) };
}

describe('AccountVersions', () => {
  it('returns an account at each slot, before, between and after its writes', () => {
    const { versions } = machine();
    versions.write(FIRST, 5n, { before: null, after: state(1n) });
    versions.write(FIRST, 7n, { before: state(1n), after: null });
    const seen = [4n, 5n, 6n, 7n].map((slot) => versions.at(FIRST, slot)?.lamports);
    expect(seen).toEqual([undefined, 1n, 1n, undefined]);
  });

  it('lists an account under its owner at the slot', () => {
    const { versions } = machine([FIRST, state(1n)]);
    versions.write(FIRST, 3n, { before: state(1n), after: state(1n, OWNERS[1]) });
    const count = (owner: Address, slot: bigint) => versions.ownedBy(owner, slot).length;
    expect([count(OWNERS[0], 2n), count(OWNERS[1], 2n)]).toEqual([1, 0]);
    expect([count(OWNERS[0], 3n), count(OWNERS[1], 3n)]).toEqual([0, 1]);
  });

  it('equals a full copy of every slot after any writes and finalized slots', () => {
    const states = fc.tuple(fc.bigInt(1n, 9n), fc.constantFrom(...OWNERS)).map((each) => state(...each));
    const step = fc.oneof(
      fc.record({ address: fc.constantFrom(...ADDRESSES), after: fc.option(states) }),
      fc.constant('advance' as const),
      fc.constant('list' as const),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 4 }), (steps, finality) => {
        const { now, versions } = machine([FIRST, state(5n)], [SECOND, state(6n, OWNERS[1])]);
        const copies: Map<Address, AccountState>[] = [new Map(now)];
        let open = 1n;
        for (const each of steps) {
          if (each === 'advance') {
            copies[Number(open)] = new Map(now);
            open += 1n;
            if (open > BigInt(finality)) versions.finalize(open - BigInt(finality));
          } else if (each === 'list') {
            versions.ownedBy(OWNERS[0], open);
          } else {
            const { address, after } = each;
            const before = now.get(address) ?? null;
            // As in a chain, the base has the new state before the write is recorded.
            if (after) now.set(address, after);
            else now.delete(address);
            versions.write(address, open, { before, after });
          }
        }
        copies[Number(open)] = new Map(now);
        const oldest = open > BigInt(finality) ? open - BigInt(finality) : 0n;
        for (let slot = oldest; slot <= open; slot++) {
          const copy = copies[Number(slot)]!;
          for (const address of ADDRESSES)
            expect(versions.at(address, slot)).toEqual(copy.get(address) ?? null);
          for (const owner of OWNERS) {
            const owned = versions.ownedBy(owner, slot).map(({ address }) => address);
            const expected = ADDRESSES.filter((address) => copy.get(address)?.owner === owner);
            expect(owned.sort()).toEqual(expected);
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});
