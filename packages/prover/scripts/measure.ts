/**
 * Measures proofs of the circuit's key against snarkjs in one process, one of each in turn, in milliseconds of CPU time.
 * `npm run measure -w @service/prover -- PROOFS` (15 by default)
 */
import { createProver } from '../src/index.ts';
import { key, module, zkey } from '../test/support/artifacts.ts';
import { proveWithSnarkjs } from '../test/support/reference.ts';
import { inputs, witnessOf } from '../test/support/witness.ts';

const proofs = Number(process.argv[2] ?? 15);
const witness = await witnessOf(inputs[0]![1]);
const createStarted = process.cpuUsage();
const prover = await createProver(module, key);
const created = since(createStarted);

const times = { snarkjs: [] as number[], own: [] as number[] };
for (let proof = 0; proof < proofs; proof += 1) {
  const snarkjsStarted = process.cpuUsage();
  await proveWithSnarkjs(zkey, witness.file, { r: 3n, s: 5n });
  times.snarkjs.push(since(snarkjsStarted));
  const ownStarted = process.cpuUsage();
  await prover.prove(witness);
  times.own.push(since(ownStarted));
}
console.log(`createProver ${created.toFixed(1)} ms, first proof ${times.own[0]!.toFixed(0)} ms`);
for (const [name, values] of Object.entries(times)) {
  const sorted = values.toSorted((a, b) => a - b);
  const [lowest, median, highest] = [sorted[0]!, middle(sorted), sorted.at(-1)!];
  console.log(`${name}: median ${median.toFixed(0)} ms, from ${lowest.toFixed(0)} to ${highest.toFixed(0)}`);
}
const ratios = times.own.map((time, index) => time / times.snarkjs[index]!).toSorted((a, b) => a - b);
console.log(`own to snarkjs: median of pairs ${middle(ratios).toFixed(3)}`);
process.exit(0);

/** Returns milliseconds of CPU since a moment, of all threads of the process. */
function since(moment: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(moment);
  return (user + system) / 1000;
}

function middle(sorted: readonly number[]): number {
  return sorted[Math.floor(sorted.length / 2)]!;
}
