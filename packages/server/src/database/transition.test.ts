/** Only `transition` writes a state: other typed writes do not compile, and no SQL in the sources has one. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { expect, test } from 'vitest';
import type { Schema } from './schema.ts';

const ROOT = join(import.meta.dirname, '..');
/** Files that may write a state: the function itself, released migrations, and tests of the database's rejections. */
const MAY = /(^|\/)(_|migration-?)|\.test\.ts$|^database\/transition\.ts$/;
const SOURCES = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !MAY.test(file),
);
const STATE_WRITES = [
  /\bset\s+([\w.]+\s*=[^=]*?,\s*)*state\s*=/,
  /\b(set|doUpdateSet)\(\s*\{[^}]*\bstate\b/,
  /\b(set|doUpdateSet)\(\s*'state'/,
  /as (unknown as )?Updateable\b/,
];

test('no other source of the service writes a state', () => {
  expect(SOURCES.length).toBeGreaterThan(100);
  const writers = SOURCES.filter((file) => {
    // A metric has labels with that name.
    const text = readFileSync(join(ROOT, file), 'utf8').replaceAll('this.set(', '');
    return STATE_WRITES.some((write) => write.test(text));
  });
  expect(writers).toEqual([]);
});

test.each([
  "update operation set due_at = 1,\n  state = 'FAILED' where",
  "update operation set state = 'FAILED'",
  ".set({ failure: null, state: 'FAILED' })",
  '.doUpdateSet({ state })',
  ".set('state', 'FAILED')",
  '.set(changes as Updateable<OperationTable>)',
])('one is seen: %s', (text) => {
  expect(STATE_WRITES.some((write) => write.test(text))).toBe(true);
});

/** Never called. The test is that each line does not compile. */
export function refusedByTypes(db: Kysely<Schema>): unknown[] {
  return [
    // @ts-expect-error a state cannot be set
    db.updateTable('operation').set({ state: 'FAILED' }),
    // @ts-expect-error the same
    db.updateTable('verification_session').set({ state: 'FAILED' }),
    // @ts-expect-error the same
    db.updateTable('credential_revocation').set({ state: 'SETTLED' }),
    // @ts-expect-error it begins as DRAFT
    db.insertInto('operation').values({ state: 'QUEUED' }),
    // @ts-expect-error it begins as STARTED
    db.insertInto('verification_session').values({ state: 'ISSUING' }),
    // @ts-expect-error it begins as REVOKING
    db.insertInto('credential_revocation').values({ state: 'SETTLED' }),
  ];
}
