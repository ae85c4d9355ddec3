#!/usr/bin/env node
/** Checks the Rust of every program on the host, with the cargo of the PATH. `npm run lint -w @service/program` */
import { spawnSync } from 'node:child_process';
import { INTERFACE, PROGRAMS } from './build.mjs';

const CHECKS = [
  ['fmt', '--check'],
  ['check', '--locked'],
  ['clippy', '--locked', '--all-targets', '--', '-D', 'warnings'],
  ['test', '--locked', '--quiet'],
];

/** A crate for others must also be ready to publish. */
const PUBLISHED = [...CHECKS, ['package', '--locked', '--allow-dirty', '--quiet']];

for (const crate of [INTERFACE, ...PROGRAMS.map(({ crate }) => crate)]) {
  for (const args of crate === INTERFACE ? PUBLISHED : CHECKS) {
    const { status, error } = spawnSync('cargo', args, { cwd: crate, stdio: 'inherit' });
    if (status === 0) continue;
    console.error(error?.message ?? `cargo ${args[0]} failed in ${crate}`);
    process.exit(1);
  }
}
