/** The proof artifacts of the service in memory: those that the test gives, or a manifest without files. */
import type { ArtifactManifest } from '@service/contract';
import type { ArtifactSource } from '@service/sdk';
import { TEST_CIRCUIT } from './fixtures.ts';

const file = (name: string) => ({ name, size: 1, sha256: '0'.repeat(64) });

/** SHA-256 of 576 zeros, the verifying key of the test circuit. */
const ZERO_KEY_HASH = '1a0295f4bf5986c5f74eca9153a6a4cb10b073a01a76ba4a457fd862c78966a4';

/** A manifest whose files do not exist. */
export const TEST_MANIFEST: ArtifactManifest = {
  circuit: TEST_CIRCUIT,
  protocol: 'groth16',
  curve: 'bn128',
  publicSignals: ['contextHash'],
  compiler: { name: 'circom', version: '2.2.3' },
  constraints: 1,
  setup: { kind: 'development' },
  files: {
    wasm: file('test.wasm'),
    zkey: file('test.zkey'),
    vkey: file('test.vkey.json'),
    key: { name: 'test.key.bin', size: 576, sha256: ZERO_KEY_HASH },
  },
};

/** Responds to a request for a file at `/artifacts/{digest}/{name}`. Returns undefined for any other request. */
export function serveArtifacts(
  artifacts: Awaited<ReturnType<ArtifactSource['load']>>,
  request: Request,
): Response | undefined {
  const { pathname } = new URL(request.url);
  const folder = `/artifacts/${artifacts.digest}/`;
  if (request.method !== 'GET' || !pathname.startsWith(folder)) return undefined;
  const name = pathname.slice(folder.length);
  if (name === 'manifest.json') return Response.json(artifacts.manifest);
  for (const kind of ['wasm', 'zkey', 'vkey', 'key', 'compactKey'] as const) {
    const bytes = artifacts[kind];
    if (bytes && artifacts.manifest.files[kind]?.name === name) return new Response(Uint8Array.from(bytes));
  }
  return undefined;
}
