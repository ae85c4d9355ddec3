/**
 * Writes a crate with a Rust client of the program, for code that runs outside of programs.
 *
 * `npm run rust-client -w @service/program -- FOLDER [PROGRAM]`. PROGRAM is the address of the deployed program.
 */
import { cpSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { renderVisitor } from '@codama/renderers-rust';
import type { RootNode } from 'codama';
import { idlForRust } from '../idl/rust.ts';

const PACKAGE = join(import.meta.dirname, '..');

/** Writes the crate: manifest, lock file, tests, and the rendered source. */
export async function renderRustClient(folder: string, program?: string): Promise<void> {
  for (const part of ['Cargo.toml', 'Cargo.lock', 'src', 'tests'])
    cpSync(join(PACKAGE, 'rust-client', part), join(folder, part), { recursive: true });
  const root = idlForRust(JSON.parse(readFileSync(join(PACKAGE, 'idl.json'), 'utf8')) as RootNode);
  const publicKey = program ?? root.program.publicKey;
  const named = { ...root, program: { ...root.program, publicKey } };
  // The renderer has the types of an older version of Codama.
  const renderer = renderVisitor(join(folder, 'src/generated'), { formatCode: false });
  await renderer.visitRoot(named as unknown as Parameters<typeof renderer.visitRoot>[0]);
}

if (process.argv[1] === import.meta.filename) {
  const [folder, program] = process.argv.slice(2);
  if (!folder)
    throw new Error('Name the folder of the new crate: npm run rust-client -w @service/program -- FOLDER');
  // npm runs scripts in the folder of the package.
  const target = resolve(process.env.INIT_CWD ?? '.', folder);
  await renderRustClient(target, program);
  console.log(`Wrote ${target}. Run cargo check there.`);
}
