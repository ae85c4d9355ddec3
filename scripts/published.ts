/** The packages that are published. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** A package that is published. */
export interface PublishedPackage {
  readonly name: string;
  readonly version: string;
  /** Its folder in the repository. */
  readonly folder: string;
  /** The other published packages that a person needs with it. */
  readonly needs: readonly string[];
}

/** Returns the packages that are not private, each after those that it needs. */
export function publishedPackages(root = ROOT): PublishedPackage[] {
  const found = readdirSync(join(root, 'packages'))
    .map((name) => readPackage(root, `packages/${name}`))
    .filter((each) => each !== undefined);
  const names = new Set(found.map(({ name }) => name));
  const waiting = found.map((each) => ({ ...each, needs: each.needs.filter((name) => names.has(name)) }));
  const ordered: PublishedPackage[] = [];
  while (waiting.length > 0) {
    const isReady = ({ needs }: PublishedPackage) =>
      needs.every((name) => ordered.some((each) => each.name === name));
    const next = waiting.findIndex(isReady);
    if (next < 0) throw new Error(`These packages need each other: ${waiting.map(({ name }) => name)}.`);
    ordered.push(...waiting.splice(next, 1));
  }
  return ordered;
}

function readPackage(root: string, folder: string): PublishedPackage | undefined {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  if (manifest.private === true) return undefined;
  const { name, version, dependencies, peerDependencies } = manifest;
  return { name, version, folder, needs: Object.keys({ ...dependencies, ...peerDependencies }) };
}
