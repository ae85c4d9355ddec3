/** Serves the proof artifacts under their digest, so that clients can cache them forever. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type ArtifactManifest, FILE_ROUTES } from '@service/contract';
import { ServiceFault } from '../http/failures/fault.ts';
import { defineFile } from '../http/routing/define-route.ts';
import type { HttpApp } from '../http/routing/variables.ts';
import type { Service } from '../service.ts';

/** Path of the artifacts under the site's origin; digest and name follow. */
export const ARTIFACTS_PATH = FILE_ROUTES.artifact.path.replace('/{digest}/{name}', '');

/**
 * Serves `/artifacts/{digest}/{name}`: the files that the manifest lists, and `manifest.json` itself. A file with another
 * hash than the manifest lists is INTERNAL and never sent. Any other name or digest is NOT_FOUND.
 */
export function registerArtifacts(app: HttpApp, service: Service): void {
  const { artifacts } = service.settings;
  const read = new Map<string, ReturnType<typeof readServed>>();
  defineFile(app, service, 'artifact', async (context) => {
    const { digest, name = '' } = context.req.param();
    const isKnown = digest === artifacts.digest && namesOf(artifacts.manifest).includes(name);
    if (!isKnown) throw new ServiceFault('NOT_FOUND', 'There is no such artifact. See GET /api/config.');
    // A verified file stays in memory. All files together are under 6 MB.
    let file = read.get(name);
    if (!file) {
      file = readServed(artifacts, name);
      read.set(name, file);
      file.catch(() => read.delete(name));
    }
    const bytes = await file;
    return context.body(bytes, 200, {
      'Content-Type': typeOf(name),
      'Content-Length': String(bytes.length),
      'Cache-Control': 'public, max-age=31536000, immutable',
    });
  });
}

const MANIFEST_NAME = 'manifest.json';

function namesOf(manifest: ArtifactManifest): string[] {
  return [MANIFEST_NAME, ...filesOf(manifest).map(({ name }) => name)];
}

/** Returns the files that the program and the provers know. Other files of a newer manifest are not served. */
function filesOf({ files: { wasm, zkey, vkey, key, compactKey } }: ArtifactManifest) {
  return compactKey ? [wasm, zkey, vkey, key, compactKey] : [wasm, zkey, vkey, key];
}

async function readServed({ directory, manifest }: Service['settings']['artifacts'], name: string) {
  if (name === MANIFEST_NAME) return new TextEncoder().encode(JSON.stringify(manifest));
  const listed = filesOf(manifest).find((file) => file.name === name);
  const bytes = await readFile(path.join(directory, path.basename(name)));
  if (createHash('sha256').update(bytes).digest('hex') !== listed?.sha256) {
    throw new Error(`${name} does not have the hash that the manifest lists. Build the artifacts again.`);
  }
  return new Uint8Array(bytes);
}

function typeOf(name: string): string {
  if (name.endsWith('.wasm')) return 'application/wasm';
  return name.endsWith('.json') ? 'application/json' : 'application/octet-stream';
}
