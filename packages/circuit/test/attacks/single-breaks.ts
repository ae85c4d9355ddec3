import { divide, mod } from '../support/constraint-system.ts';
import { ALL_STATUSES, type Attack, bit, day, each, placed, scenario, without } from '../support/scenario.ts';
import { type Claim, clauseHashOf, type Signals, tagOf } from '../support/statement.ts';
import { MASK_USES, type MaskUse } from './mask-uses.ts';

/**
 * Yields, for every constraint of the circuit, a witness of a false claim that breaks this constraint and no other.
 * Without that constraint, the circuit would accept the witness.
 *
 * @param sboxes names and honest values of the signals that make up Poseidon's powers of five (its S-boxes)
 */
export function* singleBreaks(sboxes: ReadonlyMap<string, bigint>): Generator<Attack> {
  yield* hashes(sboxes);
  yield* slots();
  yield* places();
  yield* ranges();
  for (const use of MASK_USES) {
    yield* maskBits(use);
    yield* flags(use, 'chunkIs', use.indexBits - use.lowBits, 1 << use.lowBits);
    yield* flags(use, 'bitIs', use.lowBits, 1);
    yield* chunk(use);
  }
}

/** The signals of the attacks on Poseidon: the opened clause is in the last slot for clauses, and the tag in the last slot. */
export const HASHED = { slot: 5, limited: 1n };

/**
 * Poseidon: one power is wrong by one, and everything after it is computed from it. The wrong hash is used as the context
 * hash, as the hash of the clause in the last slot for clauses, or as the tag.
 */
function* hashes(sboxes: ReadonlyMap<string, bigint>): Generator<Attack> {
  const honest = scenario(HASHED);
  const hashes: (bigint | undefined)[] = honest.clauseHashes;
  const signals = {
    ...honest,
    clauseHashes: hashes.with(5, undefined).with(7, undefined),
    contextHash: undefined,
  };
  for (const [name, value] of sboxes) {
    const claims = { 'main.openedHash': 'slot', 'main.tag': 'tag' } as const;
    const claim = claims[name.split(':')[0] as keyof typeof claims] ?? 'context';
    yield { name: `wrong ${name}`, claim, signals, set: { [name]: value + 1n } };
  }
}

/** A clause that is in no slot: one product of differences is set to 0. */
function* slots(): Generator<Attack> {
  const signals = scenario({ slot: 8 });
  for (let slot = 1; slot < 8; slot += 1) {
    const set = productsBefore(slot, signals);
    yield { name: `no difference up to slot ${slot}`, claim: 'slot', signals, set };
  }
}

/** Returns the products of differences, which are 0 from a slot on. */
function productsBefore(slot: number, signals: Signals): Record<string, bigint> {
  const opened = clauseHashOf(signals);
  const products = [mod(signals.clauseHashes[0]! - opened)];
  for (const [index, hash] of signals.clauseHashes.entries()) {
    if (index > 0) products.push(index < slot ? mod(products.at(-1)! * (hash - opened)) : 0n);
  }
  return each('main.product', 8, (index) => products[index]!);
}

/** A place that is not the person's, a clause in its slots, and a limit that moves the day. */
function* places(): Generator<Attack> {
  const own = scenario({ limited: 1n });
  const stolen = scenario({ limited: 1n, person: 1n, clauseHashes: own.clauseHashes });
  const set = { 'main.tag': tagOf(stolen) };
  yield { name: 'the tag of another person', claim: 'tag', signals: stolen, set };
  const absent = scenario({ slot: 8, limited: 1n });
  const asScope = scenario({
    limited: 1n,
    clauseHashes: placed(absent.clauseHashes, absent.person, clauseHashOf(absent)),
  });
  for (const [slot, signals] of [
    [6, asScope],
    [7, scenario({ slot: 8 })],
  ] as const) {
    const set = { ...productsBefore(slot, signals), [`main.difference[${slot}]`]: 0n };
    yield { name: `no difference to slot ${slot}`, claim: 'slot', signals, set };
  }
  const limited = divide(-1n, 1n << 20n);
  const signals = scenario({ birthDate: day(2008, 6, 16), asOf: day(2026, 6, 16), limited });
  yield { name: 'a limit that moves the day by one', claim: 'limited', signals, set: {} };
}

/** A number out of range, with its whole value in one "bit". */
function* ranges(): Generator<Attack> {
  // 300 is outside every mask. Its flags add up to 1, so the mask has the same bits in every chunk.
  let alike = 0n;
  for (let region = 0; region < 253; region += 1) if (region % 16 < 13) alike |= 1n << BigInt(region);
  yield* digits('regionRange', 8, scenario({ region: 300n, regionMask: alike }), 300n);
  yield* digits('statusRange', 5, scenario({ status: 37n, statusMask: ALL_STATUSES }), 37n);
  yield* digits('minAgeRange', 8, scenario({ minAge: mod(-1n) }), -1n);
  const longAgo = -100_000n;
  yield* digits('birthDateRange', 17, scenario({ birthDate: mod(longAgo) }), longAgo);
  const minor = scenario({ birthDate: day(2020, 1, 1) });
  yield* digits('age', 18, minor, minor.asOf - minor.birthDate - 512n * minor.minAge);
}

function* digits(claim: Claim, count: number, signals: Signals, value: bigint): Generator<Attack> {
  const name = `${claim.replace('Range', '')}Bits`;
  for (let place = 0; place < count; place += 1) {
    const digit = divide(value, 1n << BigInt(place));
    const set = each(`main.${name}:Num2Bits.out`, count, (index) => (index === place ? digit : 0n));
    yield { name: `${name}[${place}] holds all of ${value}`, claim, signals, set };
  }
}

/** Returns an attack with a member that is not in the mask. */
function notIn({ mask, all, scenario }: MaskUse, member: number, name: string, set: Attack['set']): Attack {
  return { name, claim: mask, signals: scenario(member, without(all, member)), set };
}

/** The member is not in the mask. Its bit is set anyway, and another "bit" of the mask makes up for it. */
function* maskBits(use: MaskUse): Generator<Attack> {
  const { mask, path, maskBits: count, lowBits } = use;
  for (let place = 0; place < count; place += 1) {
    const member = place >> lowBits === 0 ? count - 1 : 0;
    const set = paidBits(use, `${path}.bit`, count, { member, place });
    yield notIn(use, member, `bit ${place} of ${mask} pays for bit ${member}`, set);
  }
}

/** Sets bit `member` of the mask that lacks it. The "bit" at `place` makes up for it, so that the sum stays the same. */
function paidBits(
  { all }: MaskUse,
  name: string,
  count: number,
  { member, place }: { member: number; place: number },
) {
  const mask = without(all, member);
  const digit = bit(mask, place) - divide(1n << BigInt(member), 1n << BigInt(place));
  return each(`${name}:Num2Bits.out`, count, (index) =>
    index === place ? digit : index === member ? 1n : bit(mask, index),
  );
}

/** A flag of the upper half is set for an index of the lower half, so the bit of another index is read. */
function* flags(use: MaskUse, name: string, bits: number, step: number): Generator<Attack> {
  let prefix = `${use.path}.${name}`;
  for (let level = bits; level >= 2; level -= 1) {
    const half = 1 << (level - 1);
    for (let index = 0; index < half; index += 1) {
      const attack = `${name} is ${index + half} for ${index}, at level ${level}`;
      yield notIn(use, index * step, attack, { [`${prefix}.flag[${half + index}]`]: 1n });
    }
    prefix += '.lower';
  }
}

/** The chunk, its bits, and the bit found in it, for a member that is not in the mask. */
function* chunk(use: MaskUse): Generator<Attack> {
  const { path, all, lowBits, indexBits } = use;
  const size = 1 << lowBits;
  for (let index = 0; index < 1 << (indexBits - lowBits); index += 1) {
    const member = index * size;
    const value = (without(all, member) >> BigInt(member)) % (1n << BigInt(size));
    const set = { [`${path}.selected[${index}]`]: value + 1n };
    yield notIn(use, member, `chunk ${index} is read with bit 0 set`, set);
  }
  for (let place = 0; place < size; place += 1) {
    const member = place === 0 ? 1 : 0;
    const set = paidBits(use, `${path}.chunkBit`, size, { member, place });
    yield notIn(use, member, `bit ${place} of the chunk pays for bit ${member}`, set);
    yield notIn(use, place, `bit ${place} is found in a chunk without it`, {
      [`${path}.found[${place}]`]: 1n,
    });
  }
}
