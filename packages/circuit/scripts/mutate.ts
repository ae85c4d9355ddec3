/**
 * Removes or weakens each statement of the circuit in turn, and checks that an attack or an honest case of test/attacks
 * shows the difference (see judge.ts). Exits 1 unless every mutant is killed or listed in equivalent-mutants.ts.
 *
 *   tsx scripts/mutate.ts            every mutant
 *   tsx scripts/mutate.ts --short    every second mutant that unconstrains or removes a statement
 *   tsx scripts/mutate.ts TEXT       mutants whose name contains TEXT
 */
import pMap from 'p-map';
import { compileSystem } from '../test/support/circuit-under-test.ts';
import { readSources } from './compile.ts';
import { EQUIVALENT_MUTANTS } from './equivalent-mutants.ts';
import { judgeFor } from './judge.ts';
import { type Mutant, mutantsOf } from './mutants.ts';

/** One mutant is judged while the next is compiled. */
const AT_ONCE = 2;

type Outcome = 'killed' | 'equivalent' | 'SURVIVED' | 'WRONGLY LISTED' | 'does not compile';

const started = Date.now();
const only = process.argv[2];
const isShort = only === '--short';
const mutants = mutantsOf(await readSources())
  .filter(({ id, kind }) => {
    if (isShort) return kind === 'unconstrained' || kind === 'removed';
    return only === undefined || id.includes(only);
  })
  .filter((_, index) => !isShort || index % 2 === 0);
const judge = judgeFor(await compileSystem('--O0'));
const outcomes = await pMap(mutants, outcomeOf, { concurrency: AT_ONCE });

const count = (outcome: Outcome) => outcomes.filter((each) => each === outcome).length;
const kinds = [...new Set(mutants.map(({ kind }) => kind))];
console.table(
  Object.fromEntries(
    kinds.map((kind) => {
      const of = (outcome: Outcome) =>
        outcomes.filter((each, index) => each === outcome && mutants[index]?.kind === kind).length;
      return [
        kind,
        {
          killed: of('killed'),
          equivalent: of('equivalent'),
          survived: of('SURVIVED'),
          'wrongly listed': of('WRONGLY LISTED'),
          'does not compile': of('does not compile'),
        },
      ];
    }),
  ),
);
const wrong = count('SURVIVED') + count('WRONGLY LISTED');
const judged = count('killed') + wrong;
console.log(
  `${count('killed')} of ${judged} killed (${((100 * count('killed')) / judged).toFixed(1)} %), ` +
    `${count('equivalent')} equivalent, ${count('does not compile')} do not compile, ` +
    `${((Date.now() - started) / 1000).toFixed(0)} s`,
);
if (wrong > 0 || judged === 0) process.exitCode = 1;

async function outcomeOf(mutant: Mutant): Promise<Outcome> {
  const { id, file, text, kind } = mutant;
  const system = await compileSystem('--O0', { [file]: text }).catch(() => undefined);
  const listed = EQUIVALENT_MUTANTS.find(({ mutants }) => mutants.test(id));
  const report = (outcome: Outcome, why: string) => {
    console.log(`${outcome}  [${kind}] ${id}\n    ${why}`);
    return outcome;
  };
  if (!system) return report('does not compile', 'circom rejects it');
  const verdict = judge(system, mutant);
  if (verdict.killed) return listed ? report('WRONGLY LISTED', verdict.by) : report('killed', verdict.by);
  return listed
    ? report('equivalent', listed.why)
    : report('SURVIVED', 'it accepts no attack and rejects no honest case');
}
