#!/usr/bin/env node
/**
 * Installs what builds and lints the program, where it is missing. `npm run program:toolchain`
 *
 * The compiler and LLVM that make the committed bytes are Debian packages; Clippy and rustfmt come with the Rust of
 * the PATH. Needs root or sudo without a password, but only when a package is missing. Exits 1 and names what to run
 * by hand when it cannot install.
 */
import { spawnSync } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { DEBIAN_PACKAGES, missingParts, toolchainVersions } from './build.mjs';

/** Mirrors fail now and then. */
const ATTEMPTS = 3;
const PAUSE_MILLISECONDS = 10_000;
const APT_OPTIONS = ['-o', 'Acquire::Retries=3', '-o', 'DPkg::Lock::Timeout=300', '-o', 'Dpkg::Use-Pty=0'];

function succeeds(command, args, options = {}) {
  return spawnSync(command, args, { stdio: 'inherit', ...options }).status === 0;
}

async function installPackages() {
  if (missingParts().length === 0) return;
  const isRoot = process.getuid?.() === 0;
  const byHand = `apt-get install --no-install-recommends ${DEBIAN_PACKAGES.join(' ')}`;
  if (!isRoot && !succeeds('sudo', ['-n', 'true'], { stdio: 'ignore' })) {
    throw new Error(
      `${missingParts().join(', ')} missing, and this user may not install. As root: ${byHand}`,
    );
  }
  const environment = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...APT_OPTIONS];
  const [command, ...prefix] = isRoot ? environment : ['sudo', '-n', ...environment];
  const apt = (...args) => succeeds(command, [...prefix, ...args]);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    // An old list names files that the mirror has no more. Another source that fails is no reason to stop.
    apt('-qq', 'update');
    if (apt('-qq', 'install', '-y', '--no-install-recommends', ...DEBIAN_PACKAGES)) break;
    console.error(`apt-get install failed, attempt ${attempt} of ${ATTEMPTS}`);
    if (attempt < ATTEMPTS) await setTimeout(PAUSE_MILLISECONDS);
  }
  const missing = missingParts();
  if (missing.length > 0) throw new Error(`${missing.join(', ')} still missing. By hand: ${byHand}`);
}

/** Without them `npm run program:lint` fails; rustup's minimal profile leaves them out. */
function installLinters() {
  const isThere = (name) => succeeds('cargo', [name, '--version'], { stdio: 'ignore' });
  const areThere = () => isThere('clippy') && isThere('fmt');
  if (!areThere()) succeeds('rustup', ['component', 'add', 'clippy', 'rustfmt']);
  if (!areThere()) {
    throw new Error('cargo clippy or cargo fmt is missing: install Rust by rustup, with both components');
  }
}

try {
  await installPackages();
  installLinters();
  console.log(`the toolchain is complete: ${toolchainVersions()}`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
