/** The Rust client that Codama renders. `npm run campaign -- rust-client` compiles it. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  definedTypeNode,
  optionTypeNode,
  pdaNode,
  programNode,
  rootNode,
  stringTypeNode,
  variablePdaSeedNode,
} from 'codama';
import { afterAll, expect, it } from 'vitest';
import { idlForRust } from '../idl/rust.ts';
import { renderRustClient } from '../scripts/render-rust-client.ts';

const folder = mkdtempSync(join(tmpdir(), 'rust-client-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('writes seeds as bytes, and no option that Borsh would shorten', async () => {
  await renderRustClient(folder, 'So11111111111111111111111111111111111111112');
  const generated = join(folder, 'src/generated');
  const read = (part: string) =>
    readdirSync(join(generated, part)).map((file) => readFileSync(join(generated, part, file), 'utf8'));
  const accounts = read('accounts').join('\n');
  expect(accounts).toContain('nonce: [u8; 8]');
  expect(accounts).not.toContain('.to_string().as_ref()');
  for (const text of [...read('accounts'), ...read('types')]) expect(text).not.toMatch(/: Option</);
  const listed = [...accounts.matchAll(/U8PrefixVec<(\w+)>/g)].map(([, item]) => `${item!.toLowerCase()}.rs`);
  expect(listed).toEqual(['clause.rs']);
  expect(readFileSync(join(generated, 'types/clause.rs'), 'utf8')).not.toMatch(/: [ui](16|32|64|128)/);
  expect(read('instructions').join('\n')).not.toContain('unwrap_or(None)');
  const inArguments = read('instructions').flatMap(
    (text) => text.match(/struct \w+InstructionArgs \{[^}]*\}/g) ?? [],
  );
  expect(inArguments.length).toBeGreaterThan(5);
  for (const text of inArguments) expect(text).not.toContain('Option<');
  expect(readFileSync(join(generated, 'programs.rs'), 'utf8')).toContain(
    'So11111111111111111111111111111111111111112',
  );
});

it('rejects what it has no bytes for', () => {
  const text = stringTypeNode('utf8');
  const idl = (parts: Partial<Parameters<typeof programNode>[0]>) =>
    rootNode(programNode({ name: 'p', publicKey: '1'.repeat(32), ...parts }));
  const option = definedTypeNode({ name: 'maybeText', type: optionTypeNode(text, { fixed: true }) });
  expect(() => idlForRust(idl({ definedTypes: [option] }))).toThrow(
    'no type for an option of stringTypeNode',
  );
  const pda = pdaNode({ name: 'named', seeds: [variablePdaSeedNode('text', text)] });
  expect(() => idlForRust(idl({ pdas: [pda] }))).toThrow(
    'needs a fixed size, which a stringTypeNode does not have',
  );
});
