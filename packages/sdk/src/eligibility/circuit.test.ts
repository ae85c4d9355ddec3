import { afterEach, expect, it, vi } from 'vitest';
import { DEPLOYMENT } from '../../test/support/deployment.ts';
import { artifacts } from '../../test/support/prover/eligible.ts';
import { pinnedCircuit } from './circuit.ts';

afterEach(() => void vi.restoreAllMocks());

/** The state of a client whose service has a manifest in its configuration, and no files. */
const stateWith = (manifest: object, artifactsDigest: string) => {
  const fetch = vi.fn(async () => new Response(null, { status: 404 }));
  const api = { call: async () => ({ artifacts: { manifest } }) };
  const session = { api, baseUrl: 'https://site.test', fetch };
  return { fetch, session, chain: { deployment: { ...DEPLOYMENT, artifactsDigest } } } as never;
};

it('returns the circuit of the pinned manifest', async () => {
  const circuit = await pinnedCircuit(stateWith(artifacts.manifest, artifacts.digest), undefined);
  expect(circuit).toMatchObject({ id: artifacts.manifest.circuit, digest: artifacts.digest });
});

it.each([
  ['another manifest', { ...artifacts.manifest, circuit: 'another' }],
  ['a manifest that has no digest', { ...artifacts.manifest, circuit: null }],
])('names a mismatch if the service has only %s', async (_kind, manifest) => {
  const reading = pinnedCircuit(stateWith(manifest, artifacts.digest), undefined);
  await expect(reading).rejects.toMatchObject({ code: 'CIRCUIT_MISMATCH' });
});

it('does not name a mismatch if the digest cannot be computed here', async () => {
  vi.spyOn(crypto.subtle, 'digest').mockRejectedValue(new TypeError('no digest'));
  const reading = pinnedCircuit(stateWith(artifacts.manifest, artifacts.digest), undefined);
  await expect(reading).rejects.toMatchObject({ code: 'UNEXPECTED_ERROR' });
});
