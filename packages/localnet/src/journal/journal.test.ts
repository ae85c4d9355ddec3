import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { withFileSizeLimit } from '../../test/support/full-disk.ts';
import { Journal, JournalError } from './journal.ts';

const folder = mkdtempSync(join(tmpdir(), 'journal-'));
const file = join(folder, 'journal');
afterAll(() => rmSync(folder, { recursive: true }));

/** Entries with every kind of value that a chain's entries contain. */
const entries = fc.array(
  fc.record({
    slot: fc.bigInt(0n, 2n ** 64n - 1n),
    data: fc.uint8Array({ maxLength: 40 }),
    logs: fc.array(fc.string()),
    state: fc.constantFrom(null, undefined, true),
  }),
  { maxLength: 6 },
);
type Entry = typeof entries extends fc.Arbitrary<(infer E)[]> ? E : never;

/** Writes a journal. Returns its bytes and the end of each entry. */
function write(all: readonly Entry[]): { bytes: Buffer; ends: number[] } {
  rmSync(file, { force: true });
  const { journal } = Journal.open<Entry>(file);
  const ends = all.map((entry) => {
    journal.append(entry);
    return readFileSync(file).length;
  });
  journal.close();
  return { bytes: readFileSync(file), ends };
}

/** Opens a journal with these bytes, adds entries, and returns the entries that it contained. */
function open(bytes: Uint8Array, ...added: Entry[]): readonly Entry[] {
  writeFileSync(file, bytes);
  const { journal, entries: found } = Journal.open<Entry>(file);
  for (const entry of added) journal.append(entry);
  journal.close();
  return found;
}

describe('a journal', () => {
  it('that is cut anywhere has its complete entries, and accepts more', () => {
    fc.assert(
      fc.property(entries, entries, fc.nat(), (all, added, where) => {
        const { bytes, ends } = write(all);
        const cut = where % (bytes.length + 1);
        const whole = all.slice(0, ends.filter((end) => end <= cut).length);
        expect(open(bytes.subarray(0, cut), ...added)).toEqual(whole);
        expect(open(readFileSync(file))).toEqual([...whole, ...added]);
      }),
      { numRuns: 80 },
    );
  });

  it('with a changed byte in any entry is rejected', () => {
    fc.assert(
      fc.property(entries, fc.nat(), fc.integer({ min: 1, max: 255 }), (all, where, change) => {
        const { bytes, ends } = write([...all, all[0] ?? ({} as Entry)]);
        const index = where % ends.length;
        const start = (ends[index - 1] ?? bytes.indexOf(10) + 1) + 4;
        const at = start + (where % (ends[index]! - start));
        bytes[at]! ^= change;
        expect(() => open(bytes)).toThrow(JournalError);
      }),
      { numRuns: 60 },
    );
  });

  it('of another kind or a newer version is rejected, and the error says what to do', () => {
    expect(() => open(Buffer.from('SQLite format 3\0'))).toThrow(
      'is not a journal of localnet. Choose another',
    );
    expect(() => open(Buffer.from('localnet journal, format 12\nwhatever'))).toThrow(
      /has format 12, but this version reads format 1. Start the version that wrote it, or choose/,
    );
    const { bytes } = write([{} as Entry]);
    bytes.write('2', bytes.indexOf('\n') - 1);
    expect(() => open(bytes)).toThrow('has format 2');
  });

  it('that cannot be opened is rejected', () => {
    expect(() => Journal.open(join(file, 'in-a-file'))).toThrow(JournalError);
    expect(() => Journal.open(folder)).toThrow(/cannot be opened. .*: EISDIR/);
  });

  it('on a full disk keeps no part of an entry, and continues once there is space', async () => {
    const [small, large] = [1, 5_000].map((length) => ({ data: new Uint8Array(length) }) as Entry);
    const { bytes } = write([small!]);
    const { journal } = Journal.open<Entry>(file);
    const size = bytes.length + 2_000;
    await withFileSizeLimit(size, () => {
      expect(() => journal.append(large!)).toThrow(/journal cannot be written. .*: EFBIG/);
      // A part of the entry was written.
      expect(readFileSync(file).length).toBe(size);
      expect(() => journal.append(large!)).toThrow(JournalError);
    });
    journal.append(small!);
    journal.close();
    expect(open(readFileSync(file))).toEqual([small, small]);
  });
});
