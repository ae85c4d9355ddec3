/** The record of the releases, which `.ci/release publish` writes and the compatibility test reads. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = join(import.meta.dirname, 'released.json');

/** A release: all published packages, in one version. */
export interface Release {
  readonly version: string;
  /** The commit that it was packed from: 40 hex digits. */
  readonly commit: string;
  /** The integrity of each tarball, as in package-lock.json, by package. */
  readonly packages: Readonly<Record<string, string>>;
  /** The newest version of each kind of account that its SDK and its service read. */
  readonly accounts: Readonly<Record<string, number>>;
}

/** Returns all releases, the newest one first. */
export function readReleases(file = FILE): Release[] {
  return JSON.parse(readFileSync(file, 'utf8')) as Release[];
}

/** Adds a release to the record. */
export function recordRelease(release: Release, file = FILE): void {
  const others = readReleases(file).filter(({ version }) => version !== release.version);
  writeFileSync(file, `${JSON.stringify([release, ...others], null, 2)}\n`);
}
