/**
 * Makes make/snarkjs-proof.json again, after the circuit's keys have changed: `npx tsx test/vectors/prove.ts`, then
 * `node test/vectors/make/make.mjs`. A proof is blinded, so each run gives another one. It is an input of the vectors,
 * and the one thing here that comes from the code under test.
 */
import { writeFileSync } from 'node:fs';
import { readArtifacts } from '@service/circuit';
import { circuitInput } from '@service/protocol/eligibility';
import { curves, groth16, wtns } from 'snarkjs';
import { addressBytes, attributesOf, clauseOf, eligibility } from './vectors.ts';

const { wasm, zkey } = await readArtifacts();
const { context } = eligibility;
const input = await circuitInput({
  attributes: attributesOf(context.attributes),
  clauses: context.clauses.map(clauseOf),
  rule: addressBytes(context.rule),
  wallet: addressBytes(context.wallet),
  expiresAt: BigInt(context.expiresAt),
  asOf: context.asOfDateCode,
});
const witness = { type: 'mem' as const, data: new Uint8Array() };
await wtns.calculate(input, wasm, witness, { memorySize: 1 });
const { proof } = await groth16.prove(zkey, witness.data);
writeFileSync(new URL('make/snarkjs-proof.json', import.meta.url), `${JSON.stringify(proof, null, 2)}\n`);
await (await curves.getCurveFromName('bn128')).terminate();
