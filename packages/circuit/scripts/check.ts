/**
 * Checks the committed proof artifacts against manifest.json, and the circuit's source against the hashes in it. It takes
 * less than a second. `scripts/build.ts --compare` rebuilds everything and compares the result.
 */
import { isDeepStrictEqual } from 'node:util';
import { packVerifyingKey, type SnarkjsVerifyingKey } from '@service/protocol/eligibility';
import { readArtifacts } from '../src/index.ts';
import { circuitSources } from './compile.ts';

const { manifest, digest, vkey, key } = await readArtifacts();

if (!isDeepStrictEqual(manifest.source.files, await circuitSources())) {
  throw new Error(
    'The circuit was edited after the artifacts were built. Run npm run build -w @service/circuit.',
  );
}
const packed = packVerifyingKey(JSON.parse(new TextDecoder().decode(vkey)) as SnarkjsVerifyingKey);
if (!Buffer.from(packed).equals(Buffer.from(key))) {
  throw new Error(
    `${manifest.files.key.name} does not contain the key of ${manifest.files.vkey.name}. Run npm run build -w @service/circuit.`,
  );
}
console.log(
  `${manifest.circuit}: 4 files match the manifest, ${manifest.constraints} constraints, digest ${digest}`,
);
