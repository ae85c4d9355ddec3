/**
 * Has fresh proofs, the committed verifying key and Poseidon judged by implementations other than snarkjs and
 * poseidon-lite: those of ../independent, a Rust crate of its own. `npm run circuit:independent`
 *
 * Takes the cargo of the PATH. Exits 1 and names each answer that is not the expected one.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { readArtifacts } from '@service/circuit';
import { poseidon2 } from 'poseidon-lite/poseidon2';
import { poseidon11 } from 'poseidon-lite/poseidon11';
import { POSEIDON_INPUTS, UNREDUCED_INPUTS } from '../test/poseidon-inputs.ts';
import { endProver, prove, witnessOf } from '../test/prover.ts';
import { eligible } from '../test/signals.ts';
import { contextHashOf } from '../test/statement.ts';
import { type ProofCase, type ProofForms, proofCases } from './independent-cases.ts';

/** What the crate answers, in the order of what it is asked. */
interface Answer {
  packedKey: string;
  proofs: Record<keyof ProofCase['expected'], { Ok: boolean } | { Err: string }>[];
  hashes: ({ Ok: string } | { Err: string })[];
}

const { key, vkey } = await readArtifacts();
const packedKey = Buffer.from(key);
const verifyingKey: unknown = JSON.parse(new TextDecoder().decode(vkey));
const cases = proofCases(
  { packedKey, ...(await proofOf(eligible)) },
  { packedKey, ...(await proofOf({ ...eligible, salt: eligible.salt + 1n })) },
);
await endProver();
const hashed = [...POSEIDON_INPUTS, ...UNREDUCED_INPUTS];
const answer = ask({
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

const wrong = [...wrongKey(), ...cases.flatMap(wrongFindings), ...hashed.flatMap(wrongHash)];
for (const line of wrong) console.error(line);
if (wrong.length > 0) process.exitCode = 1;
else
  console.log(
    `agreed: the packed key, ${cases.length} proofs in two forms, ${hashed.length} Poseidon hashes`,
  );

async function proofOf(signals: typeof eligible): Promise<Pick<ProofForms, 'proof' | 'signal'>> {
  const signal = contextHashOf(signals);
  return { proof: (await prove(await witnessOf(signals))).proof, signal };
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
  if (run.error) throw new Error('cargo is not in the PATH: install Rust by rustup.', { cause: run.error });
  if (run.status !== 0) throw new Error('The crate packages/circuit/independent did not build or run.');
  return JSON.parse(run.stdout) as Answer;
}

function wrongKey(): string[] {
  return answer.packedKey === packedKey.toString('hex')
    ? []
    : ['eligibility.key.bin is not the key of vkey.json'];
}

function wrongFindings({ name, expected }: ProofCase, index: number): string[] {
  return (['snarkjs', 'onChain'] as const).flatMap((form) => {
    const finding = answer.proofs[index]?.[form] ?? { Err: 'no answer' };
    const found = 'Err' in finding ? 'malformed' : finding.Ok ? 'holds' : 'fails';
    const why = 'Err' in finding ? ` (${finding.Err})` : '';
    return found === expected[form]
      ? []
      : [`${name}, ${form}: expected ${expected[form]}, found ${found}${why}`];
  });
}

function wrongHash(inputs: readonly bigint[], index: number): string[] {
  const given = answer.hashes[index] ?? { Err: 'no answer' };
  const found = 'Ok' in given ? given.Ok : 'refused';
  const hash = inputs.length === 2 ? poseidon2 : poseidon11;
  const expected = UNREDUCED_INPUTS.includes(inputs) ? 'refused' : hex(hash([...inputs]));
  return found === expected
    ? []
    : [`Poseidon of ${inputs}: expected ${expected}, found ${JSON.stringify(given)}`];
}
