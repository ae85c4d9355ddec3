#!/usr/bin/env node
/**
 * Builds the on-chain program, the stand-ins for others, and the example programs, with Debian's Rust and LLVM. `npm run build -w @service/program`
 *
 * Solana's own toolchain is a fork of both. The stock tools are enough for this source:
 *   cargo (builds core for bpfel-unknown-none, one LTO unit) -> LLVM bitcode -> llc -> object -> link.mjs -> .so
 * The source uses only what LLVM's BPF back end supports, so no step rewrites code (README.md, "Rust for BPF").
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { link } from './link.mjs';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
/** The Debian packages that contain all tools below, and the linker of `packages/prover`. `install.mjs` installs them. */
export const DEBIAN_PACKAGES = ['rustc-web', 'cargo-web', 'rust-web-src', 'llvm-22', 'lld-22'];
const TARGET = 'bpfel-unknown-none';
const TOOLS = {
  cargo: '/usr/bin/cargo',
  rustc: '/usr/bin/rustc',
  archiver: '/usr/bin/llvm-ar-22',
  compiler: '/usr/bin/llc-22',
  proverLinker: '/usr/bin/wasm-ld-22',
};
/** The sources of core, which is compiled with the program. Debian has no compiled core for a BPF target. */
const CORE_SOURCE = '/usr/lib/rustlib/src/rust/library';
/** v2 is the newest BPF instruction set that SBPF version 0 contains. */
const CPU = 'v2';
/** Frames of SBPF are 4,096 bytes; LLVM's default for BPF is the kernel's 512. */
const STACK_FRAME = 4096;

/**
 * A crate and its committed artifact.
 *
 * @typedef {object} Program
 * @property {string} crate folder of Cargo.toml
 * @property {string} name artifact, relative to the crate
 * @property {string} artifact
 * @property {string} digestFile
 * @property {string} toolchainFile names the compiler and the LLVM that made the artifact
 */

/** @returns {Program} */
function programIn(folder, file) {
  const crate = join(ROOT, folder);
  const name = join('artifact', file);
  const artifact = join(crate, name);
  return { crate, name, artifact, digestFile: `${artifact}.sha256`, toolchainFile: `${artifact}.toolchain` };
}

/** The crate with which other programs read passes. */
export const INTERFACE = join(ROOT, 'packages/program/interface');

/** The programs that this repository builds. Only the first one is for public clusters. */
export const PROGRAMS = [
  programIn('packages/program', 'program.so'),
  programIn('packages/localnet/stand-in-guard-program', 'stand-in-guard-program.so'),
  programIn('packages/localnet/stand-in-multisig-program', 'stand-in-multisig-program.so'),
  programIn('packages/localnet/stand-in-token-acl-program', 'stand-in-token-acl-program.so'),
  programIn('examples/programs/vault-pinocchio', 'vault-pinocchio.so'),
  programIn('examples/programs/vault-anchor-style', 'vault-anchor-style.so'),
];

/**
 * Compiles the source of a program to a shared object.
 *
 * @param {Program} program
 * @param {{ targetFolder: string }} options folder for cargo's intermediate files
 * @returns {{ file: Buffer, digest: string, textSize: number, rodataSize: number, syscalls: string[] }}
 */
export function buildProgram({ crate }, { targetFolder }) {
  requireToolchain();
  const scratch = mkdtempSync(join(tmpdir(), 'program-'));
  try {
    const archive = compileToBitcode(crate, targetFolder);
    const bitcode = extractBitcode(archive, scratch);
    const object = compileToObject(bitcode, scratch);
    const linked = link(readFileSync(object));
    return { ...linked, digest: sha256(linked.file) };
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

export const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** Returns the versions of the tools. They show whether the toolchain or the source differs. */
export function toolchainVersions() {
  const llvm = run(TOOLS.compiler, ['--version']).match(/LLVM version \S+/)?.[0];
  return `${run(TOOLS.rustc, ['--version']).trim()}, ${llvm}`;
}

/** Returns the paths of the toolchain that do not exist. */
export function missingParts() {
  return [...Object.values(TOOLS), join(CORE_SOURCE, 'Cargo.lock')].filter((path) => !existsSync(path));
}

function requireToolchain() {
  const missing = missingParts();
  if (missing.length === 0) return;
  throw new Error(
    `The toolchain is not complete: ${missing.join(', ')} missing.\n` +
      `Run \`npm run toolchain -w @service/program\`, which installs the Debian packages ${DEBIAN_PACKAGES.join(' ')}.\n` +
      'Tests, demo and server do not need them, because they use the committed artifact/program.so.',
  );
}

/** Runs cargo. Returns the path of an archive with one bitcode module, which contains core and every crate. */
function compileToBitcode(crate, targetFolder) {
  const environment = cargoEnvironment();
  run(TOOLS.cargo, ['fetch', '--locked'], { cwd: crate, env: environment });
  const messages = run(
    TOOLS.cargo,
    [
      'rustc',
      '--locked',
      '--lib',
      '--release',
      // The manifest says cdylib for cargo build-sbf. rustc has no linker for BPF, so make an archive, which needs none.
      '--crate-type=staticlib',
      `--target=${TARGET}`,
      '-Zbuild-std=core',
      // The default features of std do not exist in core.
      '-Zbuild-std-features=',
      `--target-dir=${targetFolder}`,
      '--message-format=json-render-diagnostics',
    ],
    {
      cwd: crate,
      env: { ...environment, CARGO_ENCODED_RUSTFLAGS: rustFlags(crate, environment).join('\x1f') },
    },
  );
  const archive = messages
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
    .filter(
      (message) =>
        message.reason === 'compiler-artifact' && message.manifest_path === join(crate, 'Cargo.toml'),
    )
    .flatMap((message) => message.filenames)
    .find((file) => file.endsWith('.a'));
  if (!archive)
    throw new Error(
      'cargo made no archive. Run npm run toolchain -w @service/program, which checks the tools.',
    );
  return archive;
}

function cargoEnvironment() {
  const { RUSTFLAGS: _, RUSTC_WRAPPER: __, RUSTUP_TOOLCHAIN: ___, ...inherited } = process.env;
  return {
    ...inherited,
    RUSTC: TOOLS.rustc,
    // -Zbuild-std is unstable. This variable allows it in Debian's stable compiler.
    RUSTC_BOOTSTRAP: '1',
    CARGO_HOME: process.env.CARGO_HOME ?? join(homedir(), '.cargo'),
  };
}

/** Replaces paths, which panic messages contain, so that every folder gives the same bytes. */
function rustFlags(crate, { CARGO_HOME }) {
  const registries = join(CARGO_HOME, 'registry', 'src');
  const downloaded = existsSync(registries) ? readdirSync(registries).sort() : [];
  return [
    `-Ctarget-cpu=${CPU}`,
    `--remap-path-prefix=${crate}=/program`,
    `--remap-path-prefix=${INTERFACE}=/interface`,
    `--remap-path-prefix=${CORE_SOURCE}=/rust`,
    ...downloaded.map((registry) => `--remap-path-prefix=${join(registries, registry)}=/crates`),
  ];
}

function extractBitcode(archive, scratch) {
  run(TOOLS.archiver, ['x', archive], { cwd: scratch });
  const modules = readdirSync(scratch).map((name) => join(scratch, name));
  const isBitcode = (path) => readFileSync(path).toString('latin1', 0, 2) === 'BC';
  if (modules.length !== 1 || !isBitcode(modules[0])) {
    throw new Error(
      `The archive has ${modules.length} files instead of one bitcode module. Check the flags for link-time optimisation.`,
    );
  }
  return modules[0];
}

function compileToObject(bitcode, scratch) {
  const object = join(scratch, 'program.o');
  run(TOOLS.compiler, [
    '-march=bpfel',
    `-mcpu=${CPU}`,
    // Account data is not aligned, and the runtime allows that.
    '-mattr=+allows-misaligned-mem-access',
    `-bpf-stack-size=${STACK_FRAME}`,
    '-O3',
    '-filetype=obj',
    bitcode,
    '-o',
    object,
  ]);
  return object;
}

function run(command, args, options = {}) {
  const result = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  });
  if (result.status !== 0) {
    throw new Error(`${command} ${args[0]} failed\n${result.error?.message ?? result.stderr}`);
  }
  return result.stdout;
}

function main() {
  for (const program of PROGRAMS) {
    const built = buildProgram(program, { targetFolder: join(program.crate, 'target', 'sbf') });
    writeFileSync(program.artifact, built.file);
    writeFileSync(program.digestFile, `${built.digest}  ${basename(program.artifact)}\n`);
    writeFileSync(program.toolchainFile, `${toolchainVersions()}\n`);
    console.log(
      `${program.name}: ${built.file.length} bytes, code ${built.textSize}, constants ${built.rodataSize}`,
    );
    console.log(`sha256 ${built.digest}`);
    console.log(`syscalls ${built.syscalls.join(' ')}`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    main();
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
