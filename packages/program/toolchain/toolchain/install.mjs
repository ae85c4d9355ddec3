#!/usr/bin/env node
/**
 * Installs the missing tools that build and lint the program. `npm run toolchain -w @service/program`
 *
 * The compiler and LLVM that make the committed bytes are Debian packages. Clippy and rustfmt come with the Rust of
 * the PATH. If a package is missing, it needs root, or sudo without a password. If it cannot install, it exits with 1
 * and prints the command to run by hand.
 */
import { spawnSync } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { DEBIAN_PACKAGES, missingParts, toolchainVersions } from './build.mjs';

/** Attempts to download, because mirrors fail sometimes. */
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
      `${missingParts().join(', ')} missing, and this user cannot install packages. Run as root: ${byHand}`,
    );
  }
  const environment = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...APT_OPTIONS];
  const [command, ...prefix] = isRoot ? environment : ['sudo', '-n', ...environment];
  const apt = (...args) => succeeds(command, [...prefix, ...args]);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    // Update, because an old list names files that the mirror no longer has. Continue if another source fails.
    apt('-qq', 'update');
    if (apt('-qq', 'install', '-y', '--no-install-recommends', ...DEBIAN_PACKAGES)) break;
    console.error(`apt-get install failed, attempt ${attempt} of ${ATTEMPTS}`);
    if (attempt < ATTEMPTS) await setTimeout(PAUSE_MILLISECONDS);
  }
  const missing = missingParts();
  if (missing.length > 0) throw new Error(`${missing.join(', ')} still missing. Run by hand: ${byHand}`);
}

/** Adds Clippy and rustfmt, which `npm run lint -w @service/program` needs. rustup's minimal profile does not contain them. */
function installLinters() {
  const isThere = (name) => succeeds('cargo', [name, '--version'], { stdio: 'ignore' });
  const areThere = () => isThere('clippy') && isThere('fmt');
  if (!areThere()) succeeds('rustup', ['component', 'add', 'clippy', 'rustfmt']);
  if (!areThere()) {
    throw new Error(
      'cargo clippy or cargo fmt is missing. Install Rust with rustup, and add both components.',
    );
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
