import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { readSources } from '../scripts/compile.ts';
import { mutantsOf } from '../scripts/mutants.ts';
import { cuts } from './attacks/cuts.ts';
import { falseStatements } from './attacks/false-statements.ts';
import { forgeries } from './attacks/forgeries.ts';
import { honestCases } from './attacks/honest-cases.ts';
import { reopenings } from './attacks/reopenings.ts';
import { HASHED, singleBreaks } from './attacks/single-breaks.ts';
import {
  carryOver,
  compileSystem,
  refusals,
  signalsIn,
  solutionFor,
  witnessOfAttack,
} from './support/circuit-under-test.ts';
import { claimsOf } from './support/claims.ts';
import { broken, type ConstraintSystem, mod } from './support/constraint-system.ts';
import { undetermined } from './support/determined.ts';
import { type Attack, named, type Scenario, scenario } from './support/scenario.ts';
import type { Solution } from './support/solver.ts';
import { type Claim, falseClaims } from './support/statement.ts';

// A busy machine needs more time.
vi.setConfig({ testTimeout: 120_000 });

/** The constraints as written, one for each statement. Witnesses are made from these. */
let written: ConstraintSystem;
/** The constraints that the keys are made for, without the linear ones. These must reject. */
let deployed: ConstraintSystem;
let claims: Claim[];

beforeAll(async () => {
  [written, deployed] = await Promise.all([compileSystem('--O0'), compileSystem('--O2')]);
  claims = claimsOf(deployed);
});

const solutions = new Map<string, Solution>();

/** Returns the honest witness of some signals. Many attacks use the same ones, so each is made once. */
function solutionOf(signals: Scenario): Solution {
  const key = Object.values(signals).join();
  const solution = solutions.get(key) ?? solutionFor(written, signals);
  solutions.set(key, solution);
  return solution;
}

/** Returns the claims whose constraints reject an attack, or none if the circuit accepts it. */
function refusersOf(attack: Attack): Claim[] {
  const witness = witnessOfAttack(written, attack, solutionOf(attack.signals));
  expect(falseClaims(signalsIn(written, witness)), 'the false claim of the attack').toContain(attack.claim);
  return [...new Set(refusals(written, witness, deployed).map((number) => claims[number]!))].sort();
}

/** `FULL=1` breaks every constraint, as in CI; `npm test` breaks a sample of Poseidon's and all others. */
const every = process.env.FULL === '1';
/** Constraints that are powers of five in Poseidon. The other 452 are broken in every run. */
const SBOXES = 1206;
/** One of so many is in the sample. It has no factor in common with the width of a state: 3, 4 or 12. */
const SAMPLE = 11;

describe('each constraint', () => {
  it(`is the only one to reject some false claim (${every ? 'every' : 'a sample of the'} power of five)`, () => {
    const honest = solutionFor(written, scenario(HASHED)).witness;
    // The first power of each state is a constant, which is not a constraint after simplification.
    const sboxes = [...written.wireOf].filter(
      ([name]) => /sigma[FP]\[.*\.(in2|in4|out)$/.test(name) && !/sigmaF\[0\]\[0\]/.test(name),
    );
    expect(sboxes).toHaveLength(SBOXES);
    const broken = sboxes.filter((_, index) => every || index % SAMPLE === 0);
    const covered = new Set<number>();
    for (const attack of singleBreaks(new Map(broken.map(([name, wire]) => [name, honest[wire]!])))) {
      const witness = witnessOfAttack(written, attack, solutionOf(attack.signals));
      const numbers = refusals(written, witness, deployed);
      expect(numbers, attack.name).toHaveLength(1);
      expect(claims[numbers[0]!], attack.name).toBe(attack.claim);
      expect(falseClaims(signalsIn(written, witness)), attack.name).toContain(attack.claim);
      covered.add(numbers[0]!);
    }
    const left = deployed.constraints.flatMap((_, number) => (covered.has(number) ? [] : [claims[number]!]));
    expect(left).toHaveLength(sboxes.length - broken.length);
    expect(left.every((claim) => claim === 'context' || claim === 'slot' || claim === 'tag')).toBe(true);
  });
});

/** Claims about the range of a number, in the order of the README's table. */
const RANGES = ['minAgeRange', 'regionRange', 'statusRange', 'birthDateRange'] as const;

/** The parts of the circuit in the README's table of costs, and the claims whose constraints they are. */
const PARTS: Readonly<Record<string, readonly Claim[]>> = {
  'context hash, eleven inputs': ['context'],
  'commitment, three inputs': ['context'],
  'the rule set is limited or not': ['limited'],
  'hash of the opened clause, two inputs': ['slot'],
  'it is one of eight, or of six if limited': ['slot'],
  'region in the mask: 253 bits, and 76 to read one of them': ['regionMask'],
  'status in the mask: 32 bits, and 24 to read one of them': ['statusMask'],
  'ranges of age limit, region, status, birth date: 8 + 8 + 5 + 17': RANGES,
  'the age is reached': ['age'],
  'tag, two inputs': ['tag'],
  'it is in the last slot if limited': ['tag'],
};

describe('the budget of constraints', () => {
  it('equals the table in the README', async () => {
    const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
    const section = readme.split('## What the constraints cost\n')[1]?.split('\n## ')[0] ?? '';
    const table = section.trim().split('\n\n')[0]?.split('\n').slice(2) ?? [];
    const rows = new Map(
      table.map((row) => {
        const [, part = '', cost = ''] = row.split('|').map((cell) => cell.trim());
        return [part, Number(cost.replace(',', ''))];
      }),
    );
    expect(rows.get('all')).toBe(deployed.constraints.length);
    rows.delete('all');
    expect([...rows.keys()]).toEqual(Object.keys(PARTS));
    const count = (...counted: Claim[]) => claims.filter((claim) => counted.includes(claim)).length;
    // Parts with the same claims can only be counted together.
    const listed = new Map<string, number>();
    for (const [part, cost] of rows) {
      const served = PARTS[part]!.join();
      listed.set(served, (listed.get(served) ?? 0) + cost);
    }
    for (const [served, cost] of listed) expect(count(...(served.split(',') as Claim[])), served).toBe(cost);
    const widths = RANGES.map((range) => count(range));
    expect(table.join()).toContain(`: ${widths.join(' + ')} |`);
  });
});

describe('each signal', () => {
  it('is constrained: no wire can be changed alone', () => {
    const honest = carryOver(written, solutionFor(written, scenario()).witness, deployed);
    for (let wire = 1; wire < deployed.wireCount; wire += 1) {
      const constraints = deployed.constraintsOf[wire]!.map((number) => deployed.constraints[number]!);
      const around = { ...deployed, constraints };
      const value = honest[wire]!;
      const others = [value + 1n, value - 1n, 1n - value, -value, 2n * value + 3n, value + (1n << 200n)];
      for (const other of others) {
        if (mod(other) === value) continue;
        const edited = [...honest];
        edited[wire] = mod(other);
        expect(broken(around, edited).length, `wire ${wire} as ${other}`).toBeGreaterThan(0);
      }
    }
  });

  const names = Object.keys(scenario());
  const isInput = (name: string) => names.includes(/^main\.(\w+)(\[\d+\])?$/.exec(name)?.[1] ?? '');

  it('is determined by the inputs, whatever they are: there is only one witness', () => {
    expect(undetermined(deployed, isInput)).toEqual([]);
  });

  it.each(['selected[c] <== ', 'flag[half + i] <== ', 'signal tag <== '])(
    'is not, if a statement only assigns it: %s',
    async (statement) => {
      const assigning = mutantsOf(await readSources()).filter(({ kind }) => kind === 'unconstrained');
      const { file, text } = assigning.find((mutant) => mutant.statement.startsWith(statement))!;
      const mutant = await compileSystem('--O2', { [file]: text });
      expect(undetermined(mutant, isInput)).not.toEqual([]);
    },
  );
});

describe('the constraints as deployed', () => {
  it.each(named(honestCases()))('accept %s', (_, { signals }) => {
    expect(falseClaims(signals)).toEqual([]);
    expect(refusals(written, solutionFor(written, signals).witness, deployed)).toEqual([]);
  });

  const attacks = named([...falseStatements(), ...reopenings(), ...forgeries()]);
  it.each(attacks)('reject %s', (_, attack) => {
    expect(refusersOf(attack)).toEqual([...attack.refusedBy].sort());
  });

  it('reject a false value that one statement passes to the next', () => {
    for (const attack of cuts()) expect(refusersOf(attack), attack.name).toContain(attack.claim);
  });
});
