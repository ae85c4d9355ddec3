/**
 * Compiles the SDK's own prover and writes the module into `src/generated/prover-wasm.ts`. `npm run build -w @service/prover`
 *
 * With `--compare` it writes nothing and exits with 1 if the result differs from the committed file. It needs the Debian
 * packages that `npm run toolchain -w @service/program` installs.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { STACK_BYTES } from '../src/wasm-exports.ts';

const CRATE = path.resolve(import.meta.dirname, '../rust');
const GENERATED = path.resolve(import.meta.dirname, '../src/generated/prover-wasm.ts');
const TARGET = 'wasm32-unknown-unknown';
const TOOLS = { cargo: '/usr/bin/cargo', rustc: '/usr/bin/rustc', linker: '/usr/bin/wasm-ld-22' };
/** The sources of core and alloc, which are compiled with the prover. Debian has none compiled for this target. */
const RUST_SOURCE = '/usr/lib/rustlib/src/rust/library';

requireToolchain();
const wasm = compile();
const text = moduleOf(wasm);
if (!process.argv.includes('--compare')) {
  mkdirSync(path.dirname(GENERATED), { recursive: true });
  writeFileSync(GENERATED, text);
  console.log(`${wasm.length} bytes, sha256 ${sha256(wasm)}`);
} else if (existsSync(GENERATED) && text === readFileSync(GENERATED, 'utf8')) {
  console.log(`The source builds to the committed module: sha256 ${sha256(wasm)}`);
} else {
  console.error(`The source builds to ${sha256(wasm)} with ${run(TOOLS.rustc, ['--version']).trim()}.`);
  console.error(
    `${GENERATED} holds another module. The first lines of the file name its digest and compiler.`,
  );
  console.error('Run `npm run build -w @service/prover` and commit the result, or restore the source.');
  process.exitCode = 1;
}

/** Returns the source of the generated file. */
function moduleOf(bytes: Buffer): string {
  return [
    '// Made by `npm run build -w @service/prover`. Do not edit.',
    `// SHA-256 of the module: ${sha256(bytes)}`,
    `// Compiler: ${run(TOOLS.rustc, ['--version']).trim()}`,
    '',
    '/** The WebAssembly of the prover, in base64. A constant needs no loader of a bundler and no request of its own. */',
    `export const PROVER_WASM = '${bytes.toString('base64')}';`,
    '',
  ].join('\n');
}

function requireToolchain(): void {
  const missing = [...Object.values(TOOLS), RUST_SOURCE].filter((file) => !existsSync(file));
  if (missing.length === 0) return;
  throw new Error(
    `These files are missing: ${missing.join(', ')}. Run \`npm run toolchain -w @service/program\`, which installs Debian packages.`,
  );
}

/** Compiles in a temporary folder, so that nothing of an earlier build is used. */
function compile(): Buffer {
  const folder = mkdtempSync(path.join(tmpdir(), 'prover-'));
  // Paths differ between machines, and panic messages contain them.
  const flags = [
    `--remap-path-prefix=${CRATE}=/prover`,
    `--remap-path-prefix=${RUST_SOURCE}=/rust`,
    `-Clinker=${TOOLS.linker}`,
    '-Clinker-flavor=wasm-ld',
    `-Clink-arg=-zstack-size=${STACK_BYTES}`,
  ];
  try {
    run(
      TOOLS.cargo,
      [
        'build',
        '--locked',
        '--release',
        '--lib',
        `--target=${TARGET}`,
        '-Zbuild-std=core,alloc',
        '-Zbuild-std-features=compiler-builtins-mem',
        `--target-dir=${folder}`,
      ],
      {
        ...process.env,
        RUSTFLAGS: undefined,
        RUSTC_WRAPPER: undefined,
        RUSTUP_TOOLCHAIN: undefined,
        RUSTC: TOOLS.rustc,
        // -Zbuild-std is unstable. This variable allows it in Debian's stable compiler.
        RUSTC_BOOTSTRAP: '1',
        CARGO_ENCODED_RUSTFLAGS: flags.join('\x1f'),
      },
    );
    return readFileSync(path.join(folder, TARGET, 'release/groth16_prover.wasm'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): string {
  const { status, error, stdout, stderr } = spawnSync(command, args, { cwd: CRATE, encoding: 'utf8', env });
  if (status === 0) return stdout;
  throw new Error(`${command} ${args[0]} failed\n${error?.message ?? stderr}`);
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
