import { type Attack, bit, type Changes, day, each, scenario, without } from '../support/scenario.ts';
import { attributesOf, type Claim, clauseHashOf, commitmentOf, type Signals } from '../support/statement.ts';
import { MASK_USES, type MaskUse } from './mask-uses.ts';

/**
 * Yields an attack for each place where one statement passes a value to the next. The statements before it get the
 * cheating prover's value; those after it get a value of a person who meets the rule set.
 */
export function* cuts(): Generator<Attack> {
  const cut = (name: string, claim: Claim, signals: Signals, set: Record<string, bigint>): Attack => ({
    name: `${name} of another person`,
    claim,
    signals,
    set,
  });
  const other = scenario();
  const own = (changes: Changes) => ({ ...scenario(changes), contextHash: other.contextHash });

  const attributes = { 'main.attributes': attributesOf(other) };
  const commitment = { 'main.commitment': commitmentOf(other) };
  yield cut('attributes', 'context', own({ region: 0n }), attributes);
  yield cut('commitment', 'context', own({ salt: 1n }), commitment);
  yield cut('the context hash', 'context', { ...other, contextHash: 0n }, {});
  const inputs = [...other.clauseHashes, commitmentOf(other), other.asOf, other.passHash];
  const honest = each('main.context.inputs', 11, (index) => inputs[index]!);
  yield cut('the whole context', 'context', own({ salt: 1n, passHash: 1n, slot: 4 }), honest);
  const changed = [...Array(8).keys()].map(
    (slot): Changes => ({
      clauseHashes: other.clauseHashes.map((hash, index) =>
        index === slot ? clauseHashOf(scenario({ minAge: 1n })) : hash,
      ),
      minAge: 1n,
    }),
  );
  changed.push({ salt: 1n }, { asOf: day(2026, 6, 16) }, { passHash: 1n });
  for (const [index, changes] of changed.entries()) {
    const name = `main.context.inputs[${index}]`;
    yield cut(name, 'context', own(changes), { [name]: inputs[index]! });
  }

  const absent = scenario({ slot: 8 });
  yield cut('openedHash', 'slot', absent, { 'main.openedHash': absent.clauseHashes[3]! });
  for (let slot = 0; slot < 8; slot += 1) {
    yield cut(`product ${slot}`, 'slot', absent, { [`main.product[${slot}]`]: 0n });
  }
  for (const use of MASK_USES) yield* cutsOf(use, cut);
}

function* cutsOf(
  { path, mask, member, all, maskBits, indexBits, lowBits, scenario }: MaskUse,
  cut: (name: string, claim: Claim, signals: Signals, set: Record<string, bigint>) => Attack,
): Generator<Attack> {
  const size = 1 << lowBits;
  const chunks = 1 << (indexBits - lowBits);
  // The mask contains `to` and not `from`.
  for (const [from, to] of [
    [0, maskBits - 1],
    [maskBits - 1, 0],
    [size + 1, 2],
    [2, size],
    [1, 0],
  ] as const) {
    const signals = scenario(from, 1n << BigInt(to));
    const bits = (name: string, count: number, value: number) =>
      each(name, count, (index) => bit(BigInt(value), index));
    const [chunk, place] = [to >> lowBits, to % size];
    yield cut(`${member} ${from}`, mask, signals, bits(`main.${member}Bits`, indexBits, to));
    if (chunk !== from >> lowBits)
      yield cut(
        `upper bits of ${member} ${from}`,
        mask,
        scenario(from, 1n << BigInt(chunk * size + (from % size))),
        bits(`${path}.chunkIs.index`, indexBits - lowBits, chunk),
      );
    if (place !== from % size)
      yield cut(
        `lower bits of ${member} ${from}`,
        mask,
        scenario(from, 1n << BigInt((from >> lowBits) * size + place)),
        bits(`${path}.bitIs.index`, lowBits, place),
      );
    yield cut(`bit ${from} of ${mask}`, mask, signals, { [`${path}.bit[${from}]`]: 1n });
    yield cut(`found ${from % size} of ${mask}`, mask, signals, { [`${path}.found[${from % size}]`]: 1n });
    yield cut(`chunk bit ${from % size} of ${mask}`, mask, signals, {
      [`${path}.chunkBit[${from % size}]`]: 1n,
    });
    for (const index of [0, chunks - 1, from >> lowBits]) {
      yield cut(`selected ${index} of ${mask}`, mask, signals, {
        [`${path}.selected[${index}]`]: 1n << BigInt(from % size),
      });
    }
  }
  yield* cutFlags(`${path}.chunkIs`, indexBits - lowBits, size);
  yield* cutFlags(`${path}.bitIs`, lowBits, 1);

  /** Cuts each flag, and each bit of the index that OneHot passes to its halves. */
  function* cutFlags(top: string, bits: number, step: number): Generator<Attack> {
    let oneHot = top;
    for (let level = bits; level >= 1; level -= 1) {
      const half = 1 << (level - 1);
      for (let index = 0; index < 2 * half; index += 1) {
        const from = index ^ (level === 1 ? 1 : half);
        const signals = scenario(from * step, without(all, from * step));
        yield cut(`${oneHot} flag ${index}`, mask, signals, {
          [`${oneHot}.flag[${index}]`]: 1n,
          [`${oneHot}.flag[${from}]`]: 0n,
        });
        yield cut(`${oneHot} flag ${index} alone`, mask, signals, { [`${oneHot}.flag[${index}]`]: 1n });
      }
      for (let place = 0; place < level; place += 1) {
        yield cut(`${oneHot} index ${place}`, mask, scenario(0, without(all, 0)), {
          [`${oneHot}.index[${place}]`]: 1n,
        });
      }
      oneHot += '.lower';
    }
  }
}
