/** Gates in the index and in the passport. */
import { gateListAddresses, setGateInstruction } from '@service/protocol';
import { createGatedMint, ruleSetBody, send, type Visitor } from '@service/server/test-service';
import type { Address } from '@solana/kit';
import { beforeAll, expect, it } from 'vitest';
import { testWorld } from '../../test/support/test-world.ts';
import { accountEntry } from './accounts/account-entry.ts';
import { findGates } from './gates.ts';
import { readSlice } from './reading.ts';
import { SLICES } from './slices.ts';

const world = testWorld();
let issuer: Visitor;
let rule: Address;
let other: Address;
let mints: Address[];

const createRuleSet = async (by: Visitor) =>
  (await world.finish(by, await by.prepare('/api/rules', ruleSetBody()))).rule as Address;
const gatesOf = async (visitor: Visitor) =>
  (await visitor.get<{ gates: object[] }>('/api/passport')).body.gates;

beforeAll(async () => {
  issuer = await world.signedIn();
  rule = await createRuleSet(issuer);
  other = await createRuleSet(await world.signedIn());
  mints = [
    await createGatedMint(world, issuer.signer, { rule }),
    await createGatedMint(world, issuer.signer, { rule, honoursGranted: true }),
  ];
  await world.finalize();
});

it('are in the passport of the creator of the rule set, in order of mint, and in no other', async () => {
  const [first, second] = mints as [Address, Address];
  const records = [
    { mint: first, rule, honoursGranted: false },
    { mint: second, rule, honoursGranted: true },
  ];
  const inOrder = first < second ? records : records.toReversed();
  expect(await gatesOf(issuer)).toEqual(inOrder);
  expect(await gatesOf(await world.signedIn())).toEqual([]);
});

it('of many others leave room for the mints that the operator named, and for each rule set', async () => {
  const { service } = world.created;
  const own = await createGatedMint(world, issuer.signer, { rule: other });
  await world.finalize();
  const found = async (limit: number, ...named: Address[]) => {
    const settings = { ...service.settings, keeper: { mints: named } };
    const gates = await findGates({ ...service, settings }, { rules: [rule, other], limit });
    return gates.map(({ mint }) => mint);
  };
  const [low, high] = [...mints].sort() as [Address, Address];
  expect((await found(2)).sort()).toEqual([low, own].sort());
  expect(await found(3)).toHaveLength(3);
  for (const named of [low, high, own]) expect(await found(1, named)).toEqual([named]);
});

it('follow a change of the rule set', async () => {
  const [mint] = mints as [Address];
  const change = { authority: issuer.address, mint, rule: other, honoursGranted: false };
  await send(world, issuer.signer, [await setGateInstruction(world.program, change)]);
  await world.finalize();
  expect(await gatesOf(issuer)).toEqual([{ mint: mints[1], rule, honoursGranted: true }]);
});

it('are in slices of their own', async () => {
  const { service } = world.created;
  const at = await gateListAddresses(world.program, mints[1]!);
  for (const [kind, address] of [
    ['thawList', at.thawList],
    ['freezeList', at.freezeList],
  ] as const) {
    const slice = SLICES.find((each) => each.kind === kind)!;
    const { entries } = await readSlice(service, slice, { minSlot: 0n, signal: service.signal });
    expect(entries.map((entry) => entry.kind)).toEqual([kind, kind, kind]);
    const entry = entries.find((each) => each.address === address)!;
    expect(entry).toMatchObject({ mint: mints[1], rule, wallet: null });
    const [account, slot] = [{ ...entry, owner: world.program, data: Buffer.from(entry.data) }, 1n];
    expect(accountEntry(world.program, account, slot)).toEqual({ ...entry, slot });
    // Another owner, another version, other bytes.
    expect(accountEntry(world.program, { ...account, owner: issuer.address }, slot)).toBeNull();
    const later = Buffer.from(entry.data);
    later[98] = 2;
    expect(accountEntry(world.program, { ...account, data: later }, slot)).toBeNull();
    expect(accountEntry(world.program, { ...account, data: later.subarray(0, 200) }, slot)).toBeNull();
  }
});
