import { readArtifacts } from '@service/circuit';
import { compactKey } from '@service/circuit/compact-key';
import { calculateWitness } from '@service/circuit/witness';
import { type CircuitInput, encodeProof } from '@service/protocol/eligibility';
import { createProver, type Prover, proverModule } from '@service/prover';

let committed: Promise<Prover> | undefined;

/** Makes a proof with the SDK's own prover and the committed key, or another zkey. Returns 256 bytes, as on chain. */
export async function makeProof(input: CircuitInput, zkey?: Uint8Array): Promise<Uint8Array> {
  committed ??= readArtifacts().then((artifacts) => proverOf(artifacts.compactKey!));
  const prover = await (zkey ? proverOf(compactKey(zkey)) : committed);
  return encodeProof(await prover.prove(calculateWitness(input)));
}

async function proverOf(key: Uint8Array): Promise<Prover> {
  return createProver(await proverModule(), key);
}
