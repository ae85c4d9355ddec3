import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import {
  carryOver,
  compileSystem,
  refusals,
  signalsIn,
  solutionFor,
  witnessOfAttack,
} from './circuit-under-test.ts';
import { claimsOf } from './claims.ts';
import { broken, type ConstraintSystem, mod } from './constraint-system.ts';
import { cuts } from './cuts.ts';
import { forgeries } from './forgeries.ts';
import { honestCases } from './honest-cases.ts';
import { lies } from './lies.ts';
import { reopenings } from './reopenings.ts';
import { type Attack, type NamedAttack, type Scenario, scenario } from './scenario.ts';
import { singleBreaks } from './single-breaks.ts';
import type { Solution } from './solver.ts';
import { type Claim, falseClaims } from './statement.ts';

// Room for a machine that is busy with other things.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

/** As written, one constraint per statement: witnesses are made on these. */
let written: ConstraintSystem;
/** As the setup takes them, the linear ones folded into the others: these must refuse. */
let deployed: ConstraintSystem;
let claims: Claim[];

beforeAll(async () => {
  [written, deployed] = await Promise.all([compileSystem('--O0'), compileSystem('--O2')]);
  claims = claimsOf(deployed);
});

const solutions = new Map<string, Solution>();

/** The honest witness of some signals, made once: many attacks are on the same ones. */
function solutionOf(signals: Scenario): Solution {
  const key = Object.values(signals).join();
  const solution = solutions.get(key) ?? solutionFor(written, signals);
  solutions.set(key, solution);
  return solution;
}

/** The claims whose constraints refuse an attack; none when the circuit accepts it. */
function refusersOf(attack: Attack): Claim[] {
  const witness = witnessOfAttack(written, attack, solutionOf(attack.signals));
  expect(falseClaims(signalsIn(written, witness)), 'what the attack lies about').toContain(attack.claim);
  return [...new Set(refusals(written, witness, deployed).map((number) => claims[number]!))].sort();
}

describe('each constraint', () => {
  it('alone keeps something false from being proved', () => {
    const honest = solutionFor(written, scenario({ slot: 7 })).witness;
    const sboxes = new Map<string, bigint>();
    for (const [name, wire] of written.wireOf) {
      // The first of each state is a constant, and so no constraint once simplified.
      if (/sigma[FP]\[.*\.(in2|in4|out)$/.test(name) && !/sigmaF\[0\]\[0\]/.test(name)) {
        sboxes.set(name, honest[wire]!);
      }
    }
    const covered = new Set<number>();
    for (const attack of singleBreaks(sboxes)) {
      const witness = witnessOfAttack(written, attack, solutionOf(attack.signals));
      const numbers = refusals(written, witness, deployed);
      expect(numbers, attack.name).toHaveLength(1);
      expect(claims[numbers[0]!], attack.name).toBe(attack.claim);
      expect(falseClaims(signalsIn(written, witness)), attack.name).toContain(attack.claim);
      covered.add(numbers[0]!);
    }
    expect(deployed.constraints.filter((_, number) => !covered.has(number))).toEqual([]);
  });
});

/** The parts of the circuit in the README's table of costs, and the claims whose constraints they are. */
const PARTS: Readonly<Record<string, readonly Claim[]>> = {
  'context hash, eleven inputs': ['context'],
  'commitment, two inputs': ['context'],
  'hash of the opened clause, two inputs': ['slot'],
  'it is one of eight': ['slot'],
  'region in the mask: 253 bits, and 76 to read one of them': ['regionMask'],
  'status in the mask: 32 bits, and 24 to read one of them': ['statusMask'],
  'ranges of age limit, region, status, birth date: 8 + 8 + 5 + 17': [
    'minAgeRange',
    'regionRange',
    'statusRange',
    'birthDateRange',
  ],
  'the age is reached': ['age'],
};

describe('the budget of constraints', () => {
  it('is what the README says', async () => {
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
    // Several parts may serve the same claims, and then only their sum can be told from the constraints.
    const said: Record<string, number> = {};
    for (const [part, cost] of rows) {
      const served = PARTS[part]?.join(', ') ?? '';
      said[served] = (said[served] ?? 0) + cost;
    }
    const counted = Object.keys(said).map((served) => [
      served,
      claims.filter((claim) => served.split(', ').includes(claim)).length,
    ]);
    expect(said).toEqual(Object.fromEntries(counted));
    const widths = (['minAgeRange', 'regionRange', 'statusRange', 'birthDateRange'] as const).map(
      (range) => claims.filter((claim) => claim === range).length,
    );
    expect(table.join()).toContain(`: ${widths.join(' + ')} |`);
  });
});

describe('each signal', () => {
  it('is held: no wire can be changed alone', () => {
    const honest = carryOver(written, solutionFor(written, scenario()).witness, deployed);
    for (let wire = 1; wire < deployed.wireCount; wire += 1) {
      const around = {
        ...deployed,
        constraints: deployed.constraintsOf[wire]!.map((number) => deployed.constraints[number]!),
      };
      const value = honest[wire]!;
      for (const other of [
        value + 1n,
        value - 1n,
        1n - value,
        -value,
        2n * value + 3n,
        value + (1n << 200n),
      ]) {
        if (mod(other) === value) continue;
        const edited = [...honest];
        edited[wire] = mod(other);
        expect(broken(around, edited).length, `wire ${wire} as ${other}`).toBeGreaterThan(0);
      }
    }
  });

  it('is determined by the inputs: there is one witness, not several', () => {
    for (const { signals } of honestCases()) {
      const { guessed, steps } = solutionFor(written, signals);
      expect(guessed).toEqual([]);
      // The bits of a sum are the only step that is not a division. They are the only ones that add up to it, as the
      // sum of them all is below the order of the field.
      const decompositions = steps.flatMap((step) => ('decomposition' in step ? [step.decomposition] : []));
      const sizes = decompositions.map(({ bits }) => bits.length);
      expect(sizes.sort((a, b) => a - b)).toEqual([4, 5, 8, 8, 16, 17, 18, 32, 253]);
    }
  });
});

describe('the constraints as deployed', () => {
  it.each([...honestCases()].map(({ name, signals }) => [name, signals] as const))(
    'accept %s',
    (_, signals) => {
      expect(falseClaims(signals)).toEqual([]);
      expect(refusals(written, solutionFor(written, signals).witness, deployed)).toEqual([]);
    },
  );

  const named = (attacks: Iterable<NamedAttack>) =>
    [...attacks].map((attack) => [attack.name, attack.refusedBy.join(', '), attack] as const);

  it.each(named(lies()))('refuse %s by %s', (_, __, attack) => {
    expect(refusersOf(attack)).toEqual([...attack.refusedBy].sort());
  });

  it.each(named(reopenings()))('refuse the same hash opened as %s by %s', (_, __, attack) => {
    expect(refusersOf(attack)).toEqual([...attack.refusedBy].sort());
  });

  it.each(named(forgeries()))('refuse %s by %s', (_, __, attack) => {
    expect(refusersOf(attack)).toEqual([...attack.refusedBy].sort());
  });

  it('refuse what is handed on falsely from one statement to the next', () => {
    for (const attack of cuts()) expect(refusersOf(attack), attack.name).toContain(attack.claim);
  });
});
