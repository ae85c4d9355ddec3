/** Publishes packed packages. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** A packed package. */
export interface Packed {
  readonly name: string;
  readonly version: string;
  /** Path of the tarball. */
  readonly file: string;
  /** As in package-lock.json: `sha512-` and base64. */
  readonly integrity: string;
}

/** Options of `publish`. */
export interface PublishOptions {
  /** Checks everything, and uploads nothing. */
  readonly dryRun: boolean;
  readonly log: (line: string) => void;
  /** @default that of the process */
  readonly environment?: NodeJS.ProcessEnv;
}

/** Returns the integrity of a file: `sha512-` and base64. */
export async function integrityOf(file: string): Promise<string> {
  return `sha512-${createHash('sha512')
    .update(await readFile(file))
    .digest('base64')}`;
}

/**
 * Publishes the packages in their order. It can be repeated after it was killed: it skips what the registry has with the same
 * bytes. On GitHub and GitLab it signs provenance, with the identity of the job.
 *
 * @throws Error if the registry has other bytes of a version, or npm fails
 */
export async function publish(
  packed: readonly Packed[],
  { dryRun, log, environment = process.env }: PublishOptions,
): Promise<void> {
  const isSigned = canSign(environment);
  log(isSigned ? 'signs provenance' : 'signs no provenance: this job has no identity that npm can check');
  const npm = (...args: string[]) => execute('npm', args, { env: environment });
  for (const { name, version, file, integrity } of packed) {
    // Without a tag, npm would install a version such as 0.2.0-rc.1 for everybody.
    const tag = version.includes('-') ? ['--tag', 'next'] : [];
    const options = ['--access', 'public', ...tag, ...(isSigned ? ['--provenance'] : [])];
    if (dryRun) {
      // The version is not asked for: npm would refuse one that the registry has.
      await npm('publish', file, ...options, '--dry-run', '--force');
      log(`would publish ${name}@${version} ${integrity}`);
      continue;
    }
    const published = await publishedIntegrity(`${name}@${version}`, npm);
    if (published === integrity) {
      log(`${name}@${version} is published already`);
      continue;
    }
    if (published !== undefined)
      throw new Error(`The registry has other bytes of ${name}@${version}. Release another version.`);
    await npm('publish', file, ...options);
    log(`published ${name}@${version} ${integrity}`);
  }
}

/** Whether the job has an identity (OIDC) with which npm signs provenance. */
export function canSign(environment: NodeJS.ProcessEnv): boolean {
  const onGitHub = environment.ACTIONS_ID_TOKEN_REQUEST_URL && environment.ACTIONS_ID_TOKEN_REQUEST_TOKEN;
  return Boolean(onGitHub || environment.SIGSTORE_ID_TOKEN);
}

async function publishedIntegrity(
  spec: string,
  npm: (...args: string[]) => Promise<{ stdout: string }>,
): Promise<string | undefined> {
  try {
    const { stdout } = await npm('view', spec, 'dist.integrity', '--json', '--prefer-online');
    return stdout.trim() === '' ? undefined : (JSON.parse(stdout) as string);
  } catch (error) {
    // npm says so if the package or the version does not exist. Any other failure is one.
    if ((error as { stdout?: string }).stdout?.includes('"E404"')) return undefined;
    throw error;
  }
}
