/** Installs the peers, which npm ci of the repository does not. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../peers');
const MARK = join(FOLDER, 'node_modules/.installed-lock.json');

/** Installs the locked versions, unless they are installed. They run no scripts. Throws Error if npm fails. */
export function installPeers(): void {
  const lock = readFileSync(join(FOLDER, 'package-lock.json'), 'utf8');
  if (existsSync(MARK) && readFileSync(MARK, 'utf8') === lock) return;
  console.error('Installing the peers in bench/peers (a download of about 150 MB, once) …');
  const options = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', options, { cwd: FOLDER, stdio: ['ignore', 'ignore', 'inherit'] });
  writeFileSync(MARK, lock);
}
