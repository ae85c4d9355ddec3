/** Records of artifacts: a line `<SHA-256>  <path>` for each input and output. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { ARTIFACTS, type Artifact } from './artifacts.ts';

const ROOT = join(import.meta.dirname, '..');

/** A package in package-lock.json. */
interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Writes the record of an artifact from the files as they are. Call it only when the build or the check succeeded. */
export function writeRecord(name: string): void {
  const artifact = ARTIFACTS.find((each) => each.name === name);
  if (!artifact) throw new Error(`No artifact has the name ${name}. scripts/artifacts.ts has the names.`);
  writeFileSync(join(ROOT, artifact.record), recordOf(artifact));
  console.log(`wrote ${artifact.record}`);
}

/** Returns the record of an artifact for the files of a checkout as they are. */
export function recordOf(artifact: Artifact, root = ROOT): string {
  return [...digestsOf(artifact, root)].map(([path, digest]) => `${digest}  ${path}\n`).join('');
}

/** Returns how the files differ from the record, one difference a line. Without a record, that is a difference. */
export function differencesOf(artifact: Artifact, root = ROOT): string[] {
  const file = join(root, artifact.record);
  if (!existsSync(file)) return [`${artifact.record} does not exist`];
  const recorded = new Map(
    readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => [line.slice(66), line.slice(0, 64)] as const),
  );
  const current = digestsOf(artifact, root);
  return [...new Set([...recorded.keys(), ...current.keys()])].flatMap((path) => {
    if (current.get(path) === recorded.get(path)) return [];
    const how = !recorded.has(path) ? 'is new' : current.has(path) ? 'changed' : 'was removed';
    return [`${path} ${how}`];
  });
}

/** Returns the digest of each input and output, by path. The integrity of a package of npm stands for its files. */
function digestsOf({ inputs, packages, outputs }: Artifact, root: string): Map<string, string> {
  const written = new Set(outputs.flatMap((pathspec) => filesOf(pathspec, root)));
  const files = [...inputs.flatMap((pathspec) => filesOf(pathspec, root)), ...written].sort();
  const contentOf = (path: string) => {
    const content = readFileSync(join(root, path));
    return written.has(path) ? content : codeOf(path, content);
  };
  return new Map([
    ...files.map((path) => [path, sha256(contentOf(path))] as const),
    ...lockedPackages(packages, root).map(
      ([path, { version, integrity }]) => [`${path}@${version}`, sha256(integrity!)] as const,
    ),
  ]);
}

/** Returns the files of a pathspec that a commit of all changes would have. Throws Error if there is none. */
function filesOf(pathspec: string, root: string): string[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', pathspec];
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\0');
  const files = [...new Set(listed)].filter((path) => path !== '' && existsSync(join(root, path)));
  if (files.length === 0) throw new Error(`No file matches ${pathspec}. Correct scripts/artifacts.ts.`);
  return files;
}

/** Returns packages and all their dependencies, as package-lock.json pins them. */
function lockedPackages(names: readonly string[], root: string): [string, LockedPackage][] {
  if (names.length === 0) return [];
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, LockedPackage>>;
  };
  const found = new Map<string, LockedPackage>();
  const add = (name: string, from: string): void => {
    const path = resolve(name, from);
    const locked = packages[path];
    if (!locked?.integrity) throw new Error(`package-lock.json does not pin ${name}, which ${from} needs.`);
    if (found.has(path)) return;
    found.set(path, locked);
    for (const dependency of Object.keys(locked.dependencies ?? {})) add(dependency, path);
  };
  /** Finds a dependency as Node does: in the package's own node_modules, then in those of the folders around it. */
  const resolve = (name: string, from: string): string => {
    const nested = `${from}/node_modules/${name}`;
    if (from === '' || packages[nested]) return from === '' ? `node_modules/${name}` : nested;
    const parent = from.lastIndexOf('/node_modules/');
    return resolve(name, parent < 0 ? '' : from.slice(0, parent));
  };
  for (const name of names) add(name, 'packages/circuit');
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Returns an input without the comments, types and layout of TypeScript, which change nothing that a build does. */
function codeOf(path: string, content: Uint8Array): string | Uint8Array {
  if (!path.endsWith('.ts')) return content;
  const { code } = transformSync(new TextDecoder().decode(content), { loader: 'ts', minifyWhitespace: true });
  return code;
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
