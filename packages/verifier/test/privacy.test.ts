/** What a verifier keeps: no attribute, no witness and no secret, anywhere but in the answer to the person. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { AuditError, verifyAudit } from '../src/audit/audit.ts';
import { addressOf, PERSON, SECRET, startTestVerifier, witnessOf } from './support/test-verifier.ts';

/** Returns everything in the database, as one text. */
async function contentOf({
  database: { db },
}: Awaited<ReturnType<typeof startTestVerifier>>): Promise<string> {
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public'`.execute(db);
  const parts = [];
  for (const { name } of tables.rows) {
    const { rows } = await sql<{
      row: string;
    }>`select to_jsonb(t)::text as row from ${sql.table(name)} t`.execute(db);
    parts.push(...rows.map(({ row }) => row));
  }
  return parts.join('\n');
}

test('database, audit trail, log and messages have no attribute, no witness and no secret', async () => {
  const on = await startTestVerifier();
  try {
    const browser = on.browser();
    const form = { region: 'JP', status: 'professional', birthDate: '1984-02-29', document: 'DOC-12345' };
    const path = await on.open({ wallet: addressOf('private') });
    const back = await on.enter(browser, path, form);
    const response = await browser.get(back);
    const cookie = back;
    const witness = witnessOf(response);
    const secrets = [
      form.birthDate,
      form.birthDate.replaceAll('-', ''),
      form.document,
      form.status,
      '"JP"',
      witness.salt.toString(),
      witness.person.toString(),
      BigInt(witness.person).toString(16),
      BigInt(witness.salt).toString(16),
      path.split('/').at(-1)!,
      SECRET,
    ];
    expect(cookie).toContain(path);
    const kept = [
      await contentOf(on),
      ...on.log,
      JSON.stringify(on.service.messages, (_key, value) => `${value}`),
    ];
    expect(kept[0]).toContain(addressOf('private'));
    for (const secret of secrets) {
      expect(
        kept.some((text) => text.toLowerCase().includes(secret.toLowerCase())),
        secret,
      ).toBe(false);
    }
  } finally {
    await on.end();
  }
});

test('the audit trail names what happened, and shows every change of it', async () => {
  const on = await startTestVerifier();
  try {
    witnessOf(await on.verify(on.browser(), {}, PERSON));
    const entries: string[] = [];
    const { hash } = await verifyAudit(on.database.db, (entry) => entries.push(JSON.parse(entry).what));
    expect(entries).toEqual([
      'session opened',
      'check begun',
      'decision changed',
      'credential signed',
      'credential accepted',
    ]);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    const { db } = on.database;
    for (const statement of [
      sql`update audit set entry = '{}'`,
      sql`delete from audit where number = 5`,
      sql`truncate audit`,
    ]) {
      await expect(statement.execute(db)).rejects.toThrow('append-only');
    }
    // An operator of the database can remove the trigger. The hashes show it.
    await sql`alter table audit disable trigger keep_audit`.execute(db);
    await sql`update audit set entry = replace(entry, 'signed', 'Signed') where number = 4`.execute(db);
    await expect(verifyAudit(db)).rejects.toThrow(AuditError);
    await sql`update audit set entry = replace(entry, 'Signed', 'signed') where number = 4`.execute(db);
    expect((await verifyAudit(db)).hash).toBe(hash);
    await sql`delete from audit where number = 2`.execute(db);
    await expect(verifyAudit(db)).rejects.toThrow('Entry 2');
  } finally {
    await on.end();
  }
});
