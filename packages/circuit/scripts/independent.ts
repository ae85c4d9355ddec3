/**
 * Checks fresh proofs, the committed verifying key, Poseidon and the statement of the circuit with other implementations:
 * the Rust crate in ../independent. Run it with `npm run independent -w @service/circuit`.
 *
 * It needs cargo in the PATH. It exits 1 and prints each result that differs from the expected one. If all agree, it writes
 * the answers to the short list of statements, which npm test compares with the calculators.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { readArtifacts } from '@service/circuit';
import { POSEIDON_INPUTS, UNREDUCED_INPUTS } from '@service/circuit/poseidon-inputs';
import { poseidon2 } from 'poseidon-lite/poseidon2';
import { poseidon3 } from 'poseidon-lite/poseidon3';
import { poseidon11 } from 'poseidon-lite/poseidon11';
import {
  ANSWERS,
  type Answers,
  differences,
  requestOf,
  shortAnswers,
} from '../test/independent/agreement.ts';
import { wholeCases } from '../test/independent/cases.ts';
import { endProver, prove, witnessOf } from '../test/support/prover.ts';
import { scenario } from '../test/support/scenario.ts';
import type { Signals } from '../test/support/statement.ts';
import { type ProofCase, type ProofForms, proofCases } from './independent-cases.ts';

/** The output of the crate, in the order of the input. */
interface Answer extends Answers {
  packedKey: string;
  proofs: Record<keyof ProofCase['expected'], { Ok: boolean } | { Err: string }>[];
  hashes: ({ Ok: string } | { Err: string })[];
}

/** Poseidon by the number of inputs. */
const HASHES: Readonly<Record<number, (inputs: bigint[]) => bigint>> = {
  2: poseidon2,
  3: poseidon3,
  11: poseidon11,
};

const { key, vkey } = await readArtifacts();
const packedKey = Buffer.from(key);
const verifyingKey: unknown = JSON.parse(new TextDecoder().decode(vkey));
const cases = proofCases(
  { packedKey, ...(await proofOf(scenario())) },
  { packedKey, ...(await proofOf(scenario({ salt: 1n, limited: 1n }))) },
);
await endProver();
const hashed = [...POSEIDON_INPUTS, ...UNREDUCED_INPUTS];
const whole = wholeCases();
const answer = ask({
  ...requestOf(whole),
  verifyingKey,
  proofs: cases.map(({ forms }) => ({
    snarkjs: forms.proof,
    publicSignal: forms.signal.toString(),
    packedKey: forms.packedKey.toString('hex'),
    packedProof: forms.packedProof.toString('hex'),
    packedSignal: hex(forms.signal),
  })),
  hashes: hashed.map((inputs) => inputs.map(hex)),
});

const wrong = [
  ...wrongKey(),
  ...cases.flatMap(wrongFindings),
  ...hashed.flatMap(wrongHash),
  ...(await differences(whole, answer)),
];
for (const line of wrong) console.error(line);
if (wrong.length > 0) process.exitCode = 1;
else {
  writeFileSync(ANSWERS, `${JSON.stringify(shortAnswers(answer), null, 1)}\n`);
  console.log(
    `agreed: the packed key, ${cases.length} proofs in two forms, ${hashed.length} Poseidon hashes, ` +
      `${whole.statements.length} statements, ${whole.facts.length} rule sets with a person`,
  );
}

async function proofOf(signals: Signals): Promise<Pick<ProofForms, 'proof' | 'signal'>> {
  const { proof } = await prove(await witnessOf(signals));
  return { proof, signal: signals.contextHash };
}

function hex(number: bigint): string {
  return number.toString(16).padStart(64, '0');
}

function ask(request: object): Answer {
  const manifest = path.resolve(import.meta.dirname, '../independent/Cargo.toml');
  const run = spawnSync('cargo', ['run', '--locked', '--quiet', '--manifest-path', manifest], {
    input: JSON.stringify(request),
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'inherit'],
    maxBuffer: 2 ** 24,
  });
  if (run.error) throw new Error('cargo is not in the PATH. Install Rust with rustup.', { cause: run.error });
  if (run.status !== 0)
    throw new Error('The crate packages/circuit/independent failed to build or run. Its output is above.');
  return JSON.parse(run.stdout) as Answer;
}

function wrongKey(): string[] {
  return answer.packedKey === packedKey.toString('hex')
    ? []
    : ['eligibility.key.bin does not contain the key of eligibility.vkey.json'];
}

function wrongFindings({ name, expected }: ProofCase, index: number): string[] {
  return (['snarkjs', 'onChain'] as const).flatMap((form) => {
    const finding = answer.proofs[index]?.[form] ?? { Err: 'no result' };
    const found = 'Err' in finding ? 'malformed' : finding.Ok ? 'holds' : 'fails';
    const why = 'Err' in finding ? ` (${finding.Err})` : '';
    return found === expected[form]
      ? []
      : [`${name}, ${form}: expected ${expected[form]}, found ${found}${why}`];
  });
}

function wrongHash(inputs: readonly bigint[], index: number): string[] {
  const given = answer.hashes[index] ?? { Err: 'no result' };
  const found = 'Ok' in given ? given.Ok : 'refused';
  const hash = HASHES[inputs.length]!;
  const expected = UNREDUCED_INPUTS.includes(inputs) ? 'refused' : hex(hash([...inputs]));
  return found === expected
    ? []
    : [`Poseidon of ${inputs}: expected ${expected}, found ${JSON.stringify(given)}`];
}
