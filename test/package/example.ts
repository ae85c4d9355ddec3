/** The demo in React as a dApp developer copies it: installed from the tarballs, compiled and built. */
import { cp, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { installManifest, manifest, REPOSITORY, run, type Tarball } from './install.ts';

/** Builds a copy of an example in a folder outside the repository. */
export async function buildExample(
  example: string,
  folder: string,
  tarballs: readonly Tarball[],
): Promise<void> {
  await cp(join(REPOSITORY, example), folder, {
    recursive: true,
    filter: (path) => !['node_modules', 'dist'].includes(basename(path)),
  });
  const own = await manifest(example);
  const packed = Object.fromEntries(tarballs.map(({ name, file }) => [name, `file:${file}`]));
  const text = JSON.stringify({ ...own, dependencies: { ...own.dependencies, ...packed } });
  await writeFile(join(folder, 'package.json'), text);
  await installManifest(folder);
  // The operator's deployment, which the page reads when it runs.
  await writeFile(join(folder, 'deployment.json'), '{}');
  await compilePage(folder);
}

/** Compiles and builds a page. Throws if it needs anything but its own files. */
export async function compilePage(folder: string): Promise<void> {
  for (const [tool, ...parameters] of [['tsc'], ['vite', 'build', '--logLevel=error']] as const) {
    await run(join(folder, 'node_modules/.bin', tool), parameters, folder);
  }
  const page = await readFile(join(folder, 'dist/index.html'), 'utf8');
  // The content security policy of the site allows neither.
  if (/<script(?![^>]* src=)|<style|style=/.test(page)) {
    throw new Error(`the page of ${folder} has an inline script or style\n${page}`);
  }
}
