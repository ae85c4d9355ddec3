/** Makes the template from the examples, so that the app and the example are the same code. */
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../..');
const read = (path: string) => readFile(join(root, path), 'utf8');

/** What an app gets from the example. A list of what it does not get would miss keys and settings in a checkout. */
const KEPT = ['index.html', 'src', 'tsconfig.json', 'vite.config.ts'];
/** The issuer of the app, and what it imports. */
const ISSUER = 'examples/10-issuer-backend.ts';
const HELP = 'examples/help.ts';

/** Its own README, because that of the example is about the repository. */
const README = join(import.meta.dirname, '../template/README.md');

/** Writes the template to a folder: `examples/react-minimal`, an issuer that creates the rule set and the token, and a README. */
export async function writeTemplate(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of KEPT) {
    await cp(join(root, 'examples/react-minimal', name), join(folder, name), { recursive: true });
  }
  const issuer = await read(ISSUER);
  await writeFile(join(folder, 'issuer.ts'), issuer.replaceAll(`npx tsx ${ISSUER}`, 'npm run issuer --'));
  await writeFile(join(folder, 'help.ts'), await read(HELP));
  await cp(README, join(folder, 'README.md'));
  const { license: _, ...manifest } = JSON.parse(await read('examples/react-minimal/package.json'));
  const { tsx } = JSON.parse(await read('package.json')).devDependencies;
  manifest.scripts.issuer = 'tsx issuer.ts';
  manifest.devDependencies = { ...manifest.devDependencies, tsx };
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
