import { FIELD_ORDER } from '@service/protocol/eligibility';
import { divide, mod } from './constraint-system.ts';
import { MASK_USES, type MaskUse } from './mask-uses.ts';
import {
  ALL_REGIONS,
  ALL_STATUSES,
  type Attack,
  bit,
  type Changes,
  day,
  each,
  scenario,
  without,
} from './scenario.ts';
import {
  attributesOf,
  type Claim,
  clauseHashOf,
  commitmentOf,
  contextHashOf,
  type Signals,
} from './statement.ts';

/** Attacks thought of by hand. The first claim is what the cheat wants; refusedBy is all that stands in the way. */
export interface NamedAttack extends Attack {
  /** The claims whose constraints refuse it: more than one where the lie reaches several. */
  readonly refusedBy: readonly Claim[];
}

/** Signals about which the statement is false, as they are. */
export function* lies(): Generator<NamedAttack> {
  const lie = (name: string, claim: Claim, changes: Changes, ...alsoBy: Claim[]): NamedAttack => ({
    name,
    claim,
    signals: scenario(changes),
    set: {},
    refusedBy: [claim, ...alsoBy],
  });
  for (const place of [0, 15, 16, 127, 128, 239, 240, 252]) {
    const regionMask = without(ALL_REGIONS, place);
    yield lie(`region ${place} is not in the mask`, 'regionMask', { region: BigInt(place), regionMask });
  }
  for (const region of [253n, 254n, 255n]) {
    yield lie(`region ${region} is in no mask`, 'regionMask', { region, regionMask: ALL_REGIONS });
  }
  // Simplified, the highest bit is what the others leave of the number, so the mask refuses it as well.
  for (const region of [256n, 256n + 40n, 512n, mod(-1n), mod(-216n)]) {
    const changes = { region, regionMask: ALL_REGIONS };
    yield lie(`region ${short(region)} is none`, 'regionRange', changes, 'regionMask');
  }
  for (const place of [0, 3, 4, 27, 28, 31]) {
    const statusMask = without(ALL_STATUSES, place);
    yield lie(`status ${place} is not in the mask`, 'statusMask', { status: BigInt(place), statusMask });
  }
  for (const status of [32n, 33n, 64n, mod(-1n)]) {
    yield lie(
      `status ${short(status)} is none`,
      'statusRange',
      { status, statusMask: ALL_STATUSES },
      'statusMask',
    );
  }
  yield lie('a day before the birthday', 'age', { asOf: day(2026, 6, 14) });
  yield lie('born a day too late', 'age', { birthDate: day(2008, 6, 16) });
  const leapling = { birthDate: day(2004, 2, 29) };
  yield lie('born on 29 February, on 28 February of a common year', 'age', {
    ...leapling,
    asOf: day(2022, 2, 28),
  });
  yield lie('born on 29 February, a day before that of a leap year', 'age', {
    ...leapling,
    minAge: 20n,
    asOf: day(2024, 2, 28),
  });
  yield lie('born on 1 March, on 29 February of a leap year', 'age', {
    birthDate: day(2006, 3, 1),
    asOf: day(2024, 2, 29),
  });
  yield lie('not born yet', 'age', { minAge: 0n, birthDate: day(2026, 6, 16) });
  yield lie('the least difference that there is', 'age', {
    minAge: 255n,
    birthDate: day(2155, 12, 31),
    asOf: day(1900, 1, 1),
  });
  for (const years of [100_000n, 1n, 2n ** 17n]) {
    const changes = { minAge: 18n, birthDate: mod(-years) };
    yield lie(`born ${years} codes before 1900`, 'birthDateRange', changes);
  }
  for (const extra of [0n, day(2000, 1, 1)]) {
    const changes = { birthDate: 2n ** 17n + extra };
    yield lie(`birth date 2^17 + ${extra}`, 'birthDateRange', changes, 'age');
  }
  yield lie(
    'an age of 256 in the rule set itself',
    'minAgeRange',
    {
      minAge: 256n,
      birthDate: 0n,
      asOf: 131_071n,
    },
    'age',
  );
  yield lie('an age of 2^8 years less than none', 'minAgeRange', { minAge: mod(-1n) });
  yield lie('a status mask of 33 bits in the rule set itself', 'statusMask', { statusMask: 2n ** 32n + 2n });
  yield lie('a region mask of 254 bits in the rule set itself', 'regionMask', {
    regionMask: 2n ** 253n + (1n << 40n),
  });

  yield lie('a clause of no rule', 'slot', { slot: 8 });
  const others = scenario({ slot: 8 }).clauseHashes;
  for (let slot = 0; slot < 8; slot += 1) {
    const clauseHashes = scenario({ slot }).clauseHashes;
    const minAge = 17n;
    yield lie(`a clause like that of slot ${slot}, but for a younger age`, 'slot', { clauseHashes, minAge });
  }
  const empty = { regionMask: 0n, statusMask: 0n, minAge: 0n };
  yield lie('the empty clause of an unused slot', 'regionMask', empty, 'statusMask');
  yield lie('a clause without regions', 'regionMask', { regionMask: 0n });
  yield lie('a clause without statuses', 'statusMask', { statusMask: 0n });

  const { contextHash, clauseHashes } = scenario();
  const elsewhere: [string, Changes][] = [
    ['another wallet or expiry', { passHash: 1n }],
    ['another day', { asOf: day(2026, 6, 16) }],
    ['another rule set', { slot: 3 }],
    ['a rule set in another order', { slot: 5 }],
    ['another region', { region: 0n }],
    ['another status', { status: 2n }],
    ['another birth date', { birthDate: day(2000, 1, 1) }],
    ['another salt', { salt: 1n }],
  ];
  for (const [name, changes] of elsewhere) yield lie(name, 'context', { ...changes, contextHash });
  for (let slot = 0; slot < 8; slot += 1) {
    if (slot === 2) continue;
    const changed = clauseHashes.map((hash, index) => (index === slot ? others[(slot + 1) % 8]! : hash));
    yield lie(`another clause in slot ${slot}`, 'context', { clauseHashes: changed, contextHash });
  }
}

/** The same hash, opened by other numbers. */
export function* reopenings(): Generator<NamedAttack> {
  const honest = scenario();
  const reopened = (name: string, person: Partial<Signals>, refusedBy: [Claim, ...Claim[]]): NamedAttack => {
    const signals = { ...honest, ...person };
    signals.contextHash = contextHashOf(signals);
    return { name, claim: refusedBy[0], signals, set: {}, refusedBy };
  };

  // The clause: statusMask + minAge * 2^32, where minAge may be a fraction of the field.
  const clause = (
    name: string,
    statusMask: bigint,
    person: Partial<Signals>,
    ...refusedBy: [Claim, ...Claim[]]
  ) => {
    const packed = honest.statusMask + (honest.minAge << 32n);
    const opening = {
      ...honest,
      statusMask: mod(statusMask),
      minAge: divide(packed - statusMask, 1n << 32n),
    };
    if (clauseHashOf(opening) !== clauseHashOf(honest)) throw new Error(`${name} opens another hash.`);
    return reopened(name, { ...opening, ...person }, refusedBy);
  };
  const minor = { birthDate: day(2020, 1, 1) };
  yield clause('the age limit moved into the mask', honest.statusMask + (18n << 32n), minor, 'statusMask');
  yield clause(
    '17 years moved into the mask',
    honest.statusMask + (17n << 32n),
    { birthDate: day(2024, 1, 1) },
    'statusMask',
  );
  yield clause('an all-ones mask', ALL_STATUSES, { status: 31n }, 'minAgeRange', 'age');
  yield clause(
    'status 31 bought with half a year',
    honest.statusMask + (1n << 31n),
    { status: 31n },
    'minAgeRange',
  );
  yield clause(
    'status 23 bought with a code of a day',
    honest.statusMask + (1n << 23n),
    { status: 23n },
    'minAgeRange',
  );
  yield clause(
    '300 years borrowed from the mask',
    honest.statusMask - (300n << 32n),
    { status: 1n },
    'minAgeRange',
    'statusMask',
    'age',
  );

  // The credential: region + status * 2^8 + birthDate * 2^13 + 2^253.
  const credential = (
    name: string,
    changes: { region?: bigint; status?: bigint; birthDate?: bigint },
    masks: Partial<Signals>,
    ...refusedBy: [Claim, ...Claim[]]
  ) => {
    const { region = honest.region, status = honest.status } = changes;
    const rest = attributesOf(honest) - (1n << 253n) - region - (status << 8n);
    const birthDate = changes.birthDate ?? divide(rest, 1n << 13n);
    const clauseHashes = scenario(masks).clauseHashes;
    const opening = {
      ...honest,
      ...masks,
      clauseHashes,
      region: mod(region),
      status: mod(status),
      birthDate: mod(birthDate),
    };
    if (commitmentOf(opening) !== commitmentOf(honest)) throw new Error(`${name} opens another commitment.`);
    return reopened(name, opening, refusedBy);
  };
  const all = { regionMask: ALL_REGIONS, statusMask: ALL_STATUSES };
  yield credential(
    'region 41 of the same sum',
    { region: 41n },
    { regionMask: 1n << 41n },
    'birthDateRange',
    'age',
  );
  yield credential('status 2 of the same sum', { status: 2n }, {}, 'birthDateRange', 'age');
  yield credential(
    'a region that pays for a status',
    { region: honest.region + 256n, status: 0n, birthDate: honest.birthDate },
    all,
    'regionRange',
    'regionMask',
  );
  yield credential(
    'a status that pays for an earlier birth',
    { status: honest.status + 32n, birthDate: honest.birthDate - 1n },
    all,
    'statusRange',
    'statusMask',
  );
  yield credential(
    'a region that pays for an earlier birth',
    { region: honest.region + 8192n, birthDate: honest.birthDate - 1n },
    all,
    'regionRange',
    'regionMask',
  );
  yield credential(
    'a status below none',
    { region: honest.region - 256n, status: 2n, birthDate: honest.birthDate },
    all,
    'regionRange',
    'regionMask',
  );

  // Domains: a hash of one kind is opened as one of the other.
  const asCredential = { region: 40n, status: 1n, salt: honest.statusMask + (honest.minAge << 32n) };
  const birthDate = divide(honest.regionMask - (1n << 253n) - 40n - 256n, 1n << 13n);
  yield reopened('a clause hash in place of a credential', { ...asCredential, birthDate }, [
    'birthDateRange',
    'age',
  ]);
  const person = { ...honest, salt: honest.statusMask + (honest.minAge << 32n) };
  const asClause = { regionMask: attributesOf(person) };
  yield {
    ...reopened('a credential in place of a clause hash', { ...person, ...asClause }, ['regionMask']),
    signals: scenario({ ...asClause, salt: person.salt }),
  };
}

/** Inner signals put in by hand. */
export function* forgeries(): Generator<NamedAttack> {
  const member = 'main.regionMask:MaskMember';
  // 254 bits would hold the mask plus the order of the field: the same number, and other bits.
  const mask = 1n << 40n;
  const wrapped = mask + FIELD_ORDER;
  const place = [...Array(253).keys()].find((index) => bit(wrapped, index) === 1n && index !== 40) ?? 0;
  yield {
    name: 'the bits of the mask plus the field order',
    claim: 'regionMask',
    signals: scenario({ region: BigInt(place), regionMask: mask }),
    set: {
      ...each(`${member}.bit:Num2Bits.out`, 254, (index) => bit(wrapped, index)),
      ...each(`${member}.bit`, 254, (index) => bit(wrapped, index)),
    },
    refusedBy: ['regionMask'],
  };
  yield {
    name: 'the bits of another region',
    claim: 'regionMask',
    signals: scenario({ region: 41n }),
    set: each('main.regionBits:Num2Bits.out', 8, (index) => bit(40n, index)),
    refusedBy: ['regionRange', 'regionMask'],
  };
  yield {
    name: 'a 2 in place of the next bit of the chunk, and -2 below',
    claim: 'regionMask',
    signals: scenario({ region: 41n }),
    set: { [`${member}.chunkBit:Num2Bits.out[9]`]: 1n, [`${member}.chunkBit:Num2Bits.out[8]`]: mod(-1n) },
    refusedBy: ['regionMask'],
  };
  yield {
    name: 'two chunks flagged at once',
    claim: 'regionMask',
    signals: scenario({ region: 56n }),
    set: { [`${member}.chunkIs.flag[2]`]: 1n },
    refusedBy: ['regionMask'],
  };
  yield {
    name: 'two bits of the chunk flagged at once',
    claim: 'regionMask',
    signals: scenario({ region: 41n }),
    set: { [`${member}.bitIs.flag[8]`]: 1n },
    refusedBy: ['regionMask'],
  };
  yield {
    name: 'the bits of an age that is not reached are those of 0',
    claim: 'age',
    signals: scenario({ birthDate: day(2020, 1, 1) }),
    set: each('main.ageBits:Num2Bits.out', 18, () => 0n),
    refusedBy: ['age'],
  };
  yield {
    name: 'a 2 among the bits of the age limit',
    claim: 'minAgeRange',
    signals: scenario({ minAge: 256n, birthDate: 0n, asOf: 131_072n - 1n }),
    set: each('main.minAgeBits:Num2Bits.out', 8, (index) => (index === 7 ? 2n : 0n)),
    refusedBy: ['minAgeRange', 'age'],
  };
}

/**
 * Each place at which the circuit hands a value on, cut: what comes before is the cheat's own, what comes after is
 * another's, who would be let through.
 */
export function* cuts(): Generator<Attack> {
  const cut = (name: string, claim: Claim, signals: Signals, set: Record<string, bigint>): Attack => ({
    name: `${name} is another's`,
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
  // Not in the mask are `from`; alone in it is `to`.
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

  /** A flag, or a bit of the index that OneHot hands down to its halves. */
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

function short(value: bigint): string {
  return value > FIELD_ORDER >> 1n ? `-${FIELD_ORDER - value}` : String(value);
}
