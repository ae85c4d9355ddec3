/** Creates an app from the template. */
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CreateError } from './create-error.ts';
import { readDeployment } from './read-deployment.ts';

/** What to create, and from what. */
export interface CreateOptions {
  /** Folder of the template. */
  readonly template: string;
  /** Absolute path of the app. The folder must be empty or missing. Its name becomes the name of the package. */
  readonly folder: string;
  /** File or URL of the operator's deployment. */
  readonly deployment: string;
  /** Folder with the tarballs of the service's packages. @default the npm registry has the packages */
  readonly packages?: string | undefined;
}

type Versions = Readonly<Record<string, string>>;

/** npm removes a file of this name from every package. */
const GITIGNORE = ['node_modules', 'dist', '.env.local', 'issuer-backend.json', ''].join('\n');
const SCOPE = '@service/';

/**
 * Creates the app. It writes only after all checks.
 *
 * @throws CreateError
 */
export async function createApp({ template, folder, deployment, packages }: CreateOptions): Promise<void> {
  const name = basename(folder);
  if (!/^[a-z0-9][a-z0-9._-]{0,200}$/.test(name)) {
    const message = `A package cannot have the name ${JSON.stringify(name)}. Pass a folder name of lowercase letters, digits, ".", "_" and "-".`;
    throw new CreateError('INVALID_NAME', message);
  }
  await checkEmpty(folder);
  const manifest = JSON.parse(await readFile(join(template, 'package.json'), 'utf8'));
  manifest.name = name;
  if (packages !== undefined) {
    for (const group of ['dependencies', 'devDependencies']) {
      manifest[group] = await withTarballs(manifest[group], packages);
    }
  }
  const pinned = await readDeployment(deployment);

  await mkdir(folder, { recursive: true });
  await cp(template, folder, { recursive: true });
  const write = (file: string, text: string) => writeFile(join(folder, file), text);
  await write('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
  const readme = await readFile(join(template, 'README.md'), 'utf8');
  await write('README.md', readme.replace('# My app', `# ${name}`));
  await write('deployment.json', `${JSON.stringify(pinned, null, 2)}\n`);
  await write('.gitignore', GITIGNORE);
}

async function checkEmpty(folder: string): Promise<void> {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    if (error.code === 'ENOTDIR') return ['the file itself'];
    throw error;
  });
  if (entries.length > 0) {
    throw new CreateError('FOLDER_NOT_EMPTY', `${folder} is not empty. Pass a new folder.`);
  }
}

/** Replaces the versions of the service's packages by their tarballs. */
async function withTarballs(dependencies: Versions, packages: string): Promise<Versions> {
  const names = await readdir(packages).catch((cause) => {
    const message = `The folder ${packages} of --packages cannot be read. Pass the folder in which npm pack wrote the tarballs.`;
    throw new CreateError('PACKAGE_MISSING', message, { cause });
  });
  const fileOf = (name: string, version: string) => {
    const file = `${name.slice(1).replace('/', '-')}-${version}.tgz`;
    if (names.includes(file)) return `file:${join(packages, file)}`;
    const message = `${packages} has no ${file}. In the checkout, run: npm pack -w ${name} --pack-destination ${packages}`;
    throw new CreateError('PACKAGE_MISSING', message);
  };
  return Object.fromEntries(
    Object.entries(dependencies).map(([name, version]) => [
      name,
      name.startsWith(SCOPE) ? fileOf(name, version) : version,
    ]),
  );
}
