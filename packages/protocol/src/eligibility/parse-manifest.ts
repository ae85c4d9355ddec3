import { EligibilityError } from './errors.ts';
import type { ArtifactManifest } from './manifest.ts';

/** Maximum size of an artifact in bytes: far above the real sizes, far below the memory of a device. */
const ARTIFACT_MAX_BYTES = 64 * 1024 * 1024;

/**
 * Checks that parsed JSON is an artifact manifest. Unknown keys are kept: the digest covers them.
 *
 * A file name has no path, so that it cannot lead out of the folder or URL before it.
 *
 * @throws EligibilityError MANIFEST_INVALID, naming the first field that is wrong.
 */
export function parseManifest(value: unknown): ArtifactManifest {
  const manifest = object(value, 'the manifest');
  const circuit = text(manifest.circuit, 'circuit');
  if (new TextEncoder().encode(circuit).length > 32) throw invalid('circuit', 'at most 32 bytes of UTF-8');
  if (manifest.protocol !== 'groth16') throw invalid('protocol', '"groth16"');
  if (manifest.curve !== 'bn128') throw invalid('curve', '"bn128"');
  if (texts(manifest.publicSignals, 'publicSignals').length === 0)
    throw invalid('publicSignals', 'not empty');
  integer(manifest.constraints, 'constraints', Number.MAX_SAFE_INTEGER);
  checkCompiler(object(manifest.compiler, 'compiler'));
  checkSource(object(manifest.source, 'source'));
  checkSetup(object(manifest.setup, 'setup'));
  const files = object(manifest.files, 'files');
  const names = new Set(['manifest.json']);
  for (const kind of ['wasm', 'zkey', 'vkey', 'key', 'compactKey']) {
    if (kind === 'compactKey' && files[kind] === undefined) continue;
    const file = object(files[kind], `files.${kind}`);
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(text(file.name, `files.${kind}.name`))) {
      throw invalid(`files.${kind}.name`, 'a bare file name');
    }
    if (names.has(file.name as string)) throw invalid(`files.${kind}.name`, 'a name that no other file has');
    names.add(file.name as string);
    integer(file.size, `files.${kind}.size`, ARTIFACT_MAX_BYTES);
    hash(file.sha256, `files.${kind}.sha256`);
  }
  return value as ArtifactManifest;
}

function checkCompiler(compiler: Record<string, unknown>): void {
  for (const key of ['name', 'version', 'package']) text(compiler[key], `compiler.${key}`);
  texts(compiler.flags, 'compiler.flags');
}

function checkSource(source: Record<string, unknown>): void {
  texts(source.libraries, 'source.libraries');
  if (!Array.isArray(source.files)) throw invalid('source.files', 'an array');
  for (const entry of source.files) {
    const file = object(entry, 'source.files');
    text(file.name, 'source.files.name');
    hash(file.sha256, 'source.files.sha256');
  }
}

function checkSetup(setup: Record<string, unknown>): void {
  text(setup.tool, 'setup.tool');
  integer(setup.power, 'setup.power', 28);
  switch (setup.kind) {
    case 'development':
      checkBeacon(setup, 'phase1Beacon');
      checkBeacon(setup, 'phase2Beacon');
      return;
    case 'operator':
      checkSecrets(setup, 1);
      return;
    case 'ceremony':
      checkSecrets(setup, 2);
      checkBeacon(setup, 'phase2Beacon');
      return;
    default:
      throw invalid('setup.kind', '"development", "operator" or "ceremony"');
  }
}

function checkBeacon(setup: Record<string, unknown>, phase: string): void {
  const beacon = object(setup[phase], `setup.${phase}`);
  hash(beacon.hash, `setup.${phase}.hash`);
  integer(beacon.iterationsExponent, `setup.${phase}.iterationsExponent`, 63);
}

function checkSecrets({ powersOfTau, contributions }: Record<string, unknown>, least: number): void {
  blake2b512(powersOfTau, 'setup.powersOfTau');
  if (!Array.isArray(contributions) || contributions.length < least) {
    throw invalid('setup.contributions', `an array of at least ${least}`);
  }
  for (const entry of contributions) {
    const contribution = object(entry, 'setup.contributions');
    text(contribution.name, 'setup.contributions.name');
    blake2b512(contribution.hash, 'setup.contributions.hash');
  }
}

function object(value: unknown, field: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(field, 'an object');
  return value as Record<string, unknown>;
}

function text(value: unknown, field: string): string {
  if (typeof value !== 'string' || value.length === 0) throw invalid(field, 'a string, not empty');
  return value;
}

function texts(value: unknown, field: string): string[] {
  if (!Array.isArray(value)) throw invalid(field, 'an array of strings');
  return value.map((entry) => text(entry, field));
}

function integer(value: unknown, field: string, most: number): void {
  if (!Number.isInteger(value) || (value as number) < 1 || (value as number) > most) {
    throw invalid(field, `an integer from 1 to ${most}`);
  }
}

function hash(value: unknown, field: string): void {
  if (!/^[0-9a-f]{64}$/.test(text(value, field))) throw invalid(field, '64 lowercase hex digits');
}

function blake2b512(value: unknown, field: string): void {
  if (!/^[0-9a-f]{128}$/.test(text(value, field))) throw invalid(field, '128 lowercase hex digits');
}

function invalid(field: string, expected: string): EligibilityError {
  return new EligibilityError('MANIFEST_INVALID', `The manifest is not valid: ${field} must be ${expected}.`);
}
