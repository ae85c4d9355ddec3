/** Checks the Rust of the prover on the host: format, Clippy and unit tests. `npm run lint -w @service/prover` */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const CRATE = path.resolve(import.meta.dirname, '../rust');
const CHECKS = [
  ['fmt', '--check'],
  ['clippy', '--locked', '--all-targets', '--quiet', '--', '-D', 'warnings'],
  ['test', '--locked', '--quiet'],
];

for (const args of CHECKS) {
  const { status, error } = spawnSync('cargo', args, { cwd: CRATE, stdio: 'inherit' });
  if (status === 0) continue;
  console.error(error?.message ?? `cargo ${args[0]} failed in ${CRATE}`);
  process.exit(1);
}
