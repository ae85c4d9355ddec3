import {
  type Attack,
  attackOn,
  bit,
  type Changes,
  day,
  each,
  scenario,
  without,
} from '../support/scenario.ts';
import {
  attributesOf,
  type Claim,
  clauseHashOf,
  commitmentOf,
  contextHashOf,
  contextOf,
  type Signals,
  tagOf,
} from '../support/statement.ts';
import { MASK_USES, type MaskUse } from './mask-uses.ts';

type Cut = (name: string, claim: Claim, signals: Signals, set: Record<string, bigint>) => Attack;

/**
 * Yields an attack for each place where one statement passes a value to the next. The statements before it get the
 * cheating prover's value. Those after it get a value of a person who meets the rule set.
 */
export function* cuts(): Generator<Attack> {
  const cut: Cut = (name, claim, signals, set) => attackOn(signals, `${name} of another person`, set, claim);
  const other = scenario();
  const own = (changes: Changes) => ({ ...scenario(changes), contextHash: other.contextHash });

  const attributes = { 'main.attributes': attributesOf(other) };
  const commitment = { 'main.commitment': commitmentOf(other) };
  yield cut('attributes', 'context', own({ region: 0n }), attributes);
  yield cut('commitment', 'context', own({ salt: 1n }), commitment);
  yield cut('the context hash', 'context', { ...other, contextHash: 0n }, {});
  const inputs = contextOf(other);
  const honest = each('main.context.inputs', 11, (index) => inputs[index]!);
  yield cut('the whole context', 'context', own({ salt: 1n, passHash: 1n, slot: 4 }), honest);
  const lower = clauseHashOf(scenario({ minAge: 1n }));
  const changed = [...other.clauseHashes.keys()].map(
    (slot): Changes => ({ clauseHashes: other.clauseHashes.with(slot, lower), minAge: 1n }),
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
    yield cut(`difference ${slot}`, 'slot', absent, { [`main.difference[${slot}]`]: 0n });
  }
  const place = scenario({ limited: 1n });
  const stolen = { ...place, person: 1n };
  const placeOf = (signals: Signals) => ({ ...signals, contextHash: contextHashOf(signals) });
  yield cut('the tag', 'tag', placeOf(stolen), { 'main.tag': tagOf(place) });
  const asClause = { ...place, minAge: 1n };
  for (const slot of [6, 7]) {
    const clauseHashes = place.clauseHashes.with(slot, clauseHashOf(asClause));
    const set = { [`main.difference[${slot}]`]: 0n };
    yield cut(
      `difference ${slot} of a limited rule set`,
      'slot',
      placeOf({ ...asClause, clauseHashes }),
      set,
    );
  }
  for (const use of MASK_USES) yield* cutsOf(use, cut);
}

function* cutsOf(
  { path, mask, member, all, maskBits, indexBits, lowBits, scenario }: MaskUse,
  cut: Cut,
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
    const only = (member: number) => scenario(from, 1n << BigInt(member));
    const signals = only(to);
    const bits = (name: string, count: number, value: number) =>
      each(name, count, (index) => bit(BigInt(value), index));
    const [chunk, place] = [to >> lowBits, to % size];
    const [ownChunk, ownPlace] = [from >> lowBits, from % size];
    yield cut(`${member} ${from}`, mask, signals, bits(`main.${member}Bits`, indexBits, to));
    if (chunk !== ownChunk) {
      const upper = bits(`${path}.chunkIs.index`, indexBits - lowBits, chunk);
      yield cut(`upper bits of ${member} ${from}`, mask, only(chunk * size + ownPlace), upper);
    }
    if (place !== ownPlace) {
      const lower = bits(`${path}.bitIs.index`, lowBits, place);
      yield cut(`lower bits of ${member} ${from}`, mask, only(ownChunk * size + place), lower);
    }
    for (const [name, signal] of [
      [`bit ${from}`, `bit[${from}]`],
      [`found ${ownPlace}`, `found[${ownPlace}]`],
      [`chunk bit ${ownPlace}`, `chunkBit[${ownPlace}]`],
    ]) {
      yield cut(`${name} of ${mask}`, mask, signals, { [`${path}.${signal}`]: 1n });
    }
    for (const index of [0, chunks - 1, ownChunk]) {
      const set = { [`${path}.selected[${index}]`]: 1n << BigInt(ownPlace) };
      yield cut(`selected ${index} of ${mask}`, mask, signals, set);
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
        const flag = { [`${oneHot}.flag[${index}]`]: 1n };
        yield cut(`${oneHot} flag ${index}`, mask, signals, { ...flag, [`${oneHot}.flag[${from}]`]: 0n });
        yield cut(`${oneHot} flag ${index} alone`, mask, signals, flag);
      }
      for (let place = 0; place < level; place += 1) {
        const set = { [`${oneHot}.index[${place}]`]: 1n };
        yield cut(`${oneHot} index ${place}`, mask, scenario(0, without(all, 0)), set);
      }
      oneHot += '.lower';
    }
  }
}
