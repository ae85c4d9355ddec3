/** `tsx test/package/pack.ts FOLDER`: builds the published packages, and packs them into a folder. */
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pack } from './install.ts';

const [folder] = process.argv.slice(2);
if (!folder) {
  console.error('Name the folder of the tarballs: tsx test/package/pack.ts FOLDER');
  process.exit(2);
}
await mkdir(folder, { recursive: true });
for (const { file } of await pack(resolve(folder))) console.log(file);
