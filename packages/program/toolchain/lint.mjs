#!/usr/bin/env node
/** Checks the Rust of every program on the host, with the cargo of the PATH. `npm run lint -w @service/program` */
import { spawnSync } from 'node:child_process';
import { PROGRAMS } from './build.mjs';

const CHECKS = [
  ['fmt', '--check'],
  ['check', '--locked'],
  ['clippy', '--locked', '--all-targets', '--', '-D', 'warnings'],
  ['test', '--locked', '--quiet'],
];

for (const { crate } of PROGRAMS) {
  for (const args of CHECKS) {
    const { status, error } = spawnSync('cargo', args, { cwd: crate, stdio: 'inherit' });
    if (status === 0) continue;
    console.error(error?.message ?? `cargo ${args[0]} failed in ${crate}`);
    process.exit(1);
  }
}
