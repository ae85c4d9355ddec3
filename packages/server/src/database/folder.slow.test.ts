import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseLockedError } from '@service/database';
import { expect, test } from 'vitest';
import { openDatabase } from './database.ts';

test('a folder keeps committed data, and only one process can open it', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'database-'));
  const directory = join(parent, 'data');
  try {
    // A kill during creation leaves this folder, which PGlite would open as a database.
    await mkdir(join(directory, 'base'), { recursive: true });
    await writeFile(join(directory, 'PG_VERSION'), '18\n');
    await writeFile(`${directory}.making`, '');
    const first = await openDatabase({ directory });
    await expect(openDatabase({ directory })).rejects.toThrow(DatabaseLockedError);
    const row = { id: 'kept', wallet: 'w' as never, message: 'm', expires_at: 2n ** 60n };
    expect((await readdir(parent)).sort()).toEqual(['data', 'data.lock']);
    await first.db.insertInto('challenge').values(row).execute();
    await first.close();
    const second = await openDatabase({ directory });
    expect(await second.db.selectFrom('challenge').selectAll().execute()).toEqual([row]);
    await second.close();
  } finally {
    await rm(parent, { recursive: true });
  }
});
