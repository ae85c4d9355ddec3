/**
 * Compiles the prover to `artifact/prover.wasm` and writes its digest next to it. `npm run build -w @service/prover`
 *
 * With `--compare` it writes nothing and exits with 1 if the result differs from the committed file. It needs rustup, which
 * installs the toolchain that `rust/rust-toolchain.toml` names.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { STACK_BYTES } from '../src/wasm-exports.ts';

const CRATE = path.resolve(import.meta.dirname, '../rust');
const ARTIFACT = path.resolve(import.meta.dirname, '../artifact/prover.wasm');
const DIGEST = `${ARTIFACT}.sha256`;
const TARGET = 'wasm32-unknown-unknown';
/** The name of the crate's folder in the module. Its real path would differ between machines. */
const MAPPED_FOLDER = '/prover';

const wasm = compile();
const line = `${sha256(wasm)}  ${path.basename(ARTIFACT)}\n`;
if (!process.argv.includes('--compare')) {
  writeFileSync(ARTIFACT, wasm);
  writeFileSync(DIGEST, line);
  console.log(`${wasm.length} bytes, sha256 ${line.trim()}`);
} else if (wasm.equals(readFileSync(ARTIFACT)) && line === readFileSync(DIGEST, 'utf8')) {
  console.log(`The source builds to the committed file: sha256 ${line.trim()}`);
} else {
  console.error(`The source builds to ${line.trim()}`);
  console.error(`The committed file is ${sha256(readFileSync(ARTIFACT))}, and its digest file says`);
  console.error(readFileSync(DIGEST, 'utf8').trim());
  console.error('Run `npm run build -w @service/prover` and commit the result, or restore the source.');
  process.exitCode = 1;
}

/** Compiles in a temporary folder, so that nothing of an earlier build is used. */
function compile(): Buffer {
  const folder = mkdtempSync(path.join(tmpdir(), 'prover-'));
  const flags = [`--remap-path-prefix=${CRATE}=${MAPPED_FOLDER}`, `-Clink-arg=-zstack-size=${STACK_BYTES}`];
  try {
    const { status, error } = spawnSync(
      'cargo',
      ['build', '--locked', '--release', '--lib', `--target=${TARGET}`, `--target-dir=${folder}`, '--quiet'],
      {
        cwd: CRATE,
        stdio: 'inherit',
        // The name of another toolchain would take precedence over rust-toolchain.toml.
        env: {
          ...process.env,
          RUSTUP_TOOLCHAIN: undefined,
          CARGO_ENCODED_RUSTFLAGS: flags.join('\x1f'),
        },
      },
    );
    if (status !== 0) {
      throw new Error(`cargo build failed. Install Rust with rustup. ${error?.message ?? ''}`);
    }
    return readFileSync(path.join(folder, TARGET, 'release/groth16_prover.wasm'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
