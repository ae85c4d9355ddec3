/** The app of `npm create`: created from the packed tarballs, installed, compiled and built. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compilePage } from './example.ts';
import { run, type Tarball } from './install.ts';

const ORIGIN = 'http://localhost:5173';

/** Creates the app as a person does, in a folder that does not exist, and installs, compiles and builds it. */
export async function createApp(parent: string, folder: string, tarballs: readonly Tarball[]): Promise<void> {
  const { file } = tarballs.find(({ name }) => name === '@service/create')!;
  const deployment = join(parent, 'deployment.json');
  await writeFile(deployment, JSON.stringify({ baseUrl: ORIGIN }));
  const create = () =>
    run(
      'npx',
      ['--yes', '--package', file, 'create', folder, '--packages', parent, '--deployment', deployment],
      parent,
    );
  await create();
  const again = await create().then(
    () => 'the app was created twice',
    (error: Error) => error.message,
  );
  if (!again.includes(`${folder} is not empty.`)) throw new Error(again);
  await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline'], folder);
  await compilePage(folder);
}
