import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fileLedger } from './index.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledger-'));
  path = join(folder, 'issue.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Writes lines to a new file. */
async function written(...lines: readonly string[]) {
  const ledger = fileLedger(path);
  await ledger.read();
  for (const [number, line] of lines.entries()) await ledger.append(line, number);
  return ledger;
}

it('keeps lines in a file that only its owner reads', async () => {
  const ledger = await written('{"a":"é"}', '{"b":2}');
  expect(await ledger.read()).toEqual(['{"a":"é"}', '{"b":2}']);
  expect(await fileLedger(path).read()).toEqual(['{"a":"é"}', '{"b":2}']);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it('has no lines before the file exists, and rejects a folder that does not', async () => {
  expect(await fileLedger(path).read()).toEqual([]);
  const nowhere = fileLedger(join(folder, 'no', 'file'));
  await nowhere.read();
  await expect(nowhere.append('a', 0)).rejects.toThrow('ENOENT');
});

it('removes a last line that a kill left torn, at whatever byte', async () => {
  await written('first', 'second');
  const whole = readFileSync(path);
  const length = whole.indexOf(10) + 1;
  for (let end = length; end < whole.length; end += 1) {
    writeFileSync(path, whole.subarray(0, end));
    const ledger = fileLedger(path);
    expect(await ledger.read()).toEqual(['first']);
    await ledger.append('third', 1);
    expect(await fileLedger(path).read()).toEqual(['first', 'third']);
  }
});

const HEADER = '{"version":1,"program":"p","rows":2}';

it('replaces a first line that a kill left torn, at whatever byte', async () => {
  await written(HEADER);
  const whole = readFileSync(path);
  for (let end = 0; end < whole.length; end += 1) {
    writeFileSync(path, whole.subarray(0, end));
    const ledger = fileLedger(path);
    expect(await ledger.read()).toEqual([]);
    await ledger.append(HEADER, 0);
    expect(await fileLedger(path).read()).toEqual([HEADER]);
  }
});

it.each<[string, () => Promise<string> | string]>([
  ['a list of rows', () => '[{"id":"customer 17","amount":"5"}]'],
  ['one line', () => '[]\n'],
  ['the first line of another format', () => `${'0'.repeat(16)} {"other":1`],
  [
    'a ledger that lost its newlines',
    async () => {
      await written(HEADER, '{"asked":[]}');
      return readFileSync(path, 'utf8').replaceAll('\n', '');
    },
  ],
  [
    'a first line that is damaged',
    async () => {
      await written(HEADER);
      return readFileSync(path, 'utf8').replace('rows', 'rowS');
    },
  ],
])('rejects a file with %s, and changes nothing', async (_name, make) => {
  const text = await make();
  writeFileSync(path, text);
  const ledger = fileLedger(path);
  await expect(ledger.read()).rejects.toThrow('Nothing was changed');
  await expect(ledger.append(HEADER, 0)).rejects.toThrow('another call');
  expect(readFileSync(path, 'utf8')).toBe(text);
});

it('ignores what the second one of two processes appended', async () => {
  await written('first', 'second');
  const whole = readFileSync(path);
  const second = whole.subarray(whole.indexOf(10) + 1);
  rmSync(path);
  await written('first', 'of the first process', 'third');
  // The other process had read one line, and stored its record after the third.
  appendFileSync(path, second);
  const ledger = fileLedger(path);
  expect(await ledger.read()).toEqual(['first', 'of the first process', 'third']);
  await ledger.append('fourth', 3);
  expect(await fileLedger(path).read()).toEqual(['first', 'of the first process', 'third', 'fourth']);
});

it('rejects a line that is missing, and lines in another order', async () => {
  await written('first', 'second', 'third', 'fourth');
  const [first, second, third, fourth] = readFileSync(path, 'utf8').split('\n');
  for (const lines of [
    [first, third],
    [first, third, fourth],
    [second, first, third],
  ]) {
    writeFileSync(path, `${lines.join('\n')}\n`);
    await expect(fileLedger(path).read()).rejects.toThrow(/is damaged/);
  }
});

it('takes a last line without its middle as torn, as after a power cut', async () => {
  await written('first', 'a second line that is longer');
  const whole = readFileSync(path);
  whole.fill(0, whole.length - 20, whole.length - 5);
  writeFileSync(path, whole);
  expect(await fileLedger(path).read()).toEqual(['first']);
});

it('rejects a damaged line before the last one', async () => {
  await written('first', 'second', 'third');
  const whole = readFileSync(path);
  for (const at of [0, 20, whole.indexOf(10) + 20]) {
    const damaged = whole.slice();
    damaged[at]! ^= 1;
    writeFileSync(path, damaged);
    await expect(fileLedger(path).read()).rejects.toThrow('is damaged');
  }
});

it('rejects the second one of two that append', async () => {
  const [one, other] = [fileLedger(path), fileLedger(path)];
  await Promise.all([one.read(), other.read()]);
  await one.append('of one', 0);
  await expect(other.append('of the other', 0)).rejects.toThrow('another process writes');
  // It stays rejected until it reads again.
  await expect(other.append('of the other', 0)).rejects.toThrow('another call');
  expect(await fileLedger(path).read()).toEqual(['of one']);
  await one.append('again', 1);
});

it('rejects both or one of two that append at the same moment', async () => {
  for (let round = 0; round < 20; round += 1) {
    rmSync(path, { force: true });
    const two = [fileLedger(path), fileLedger(path)];
    await Promise.all(two.map((ledger) => ledger.read()));
    const ends = await Promise.allSettled(two.map((ledger, index) => ledger.append(`line ${index}`, 0)));
    const stored = ends.flatMap(({ status }, index) => (status === 'fulfilled' ? [`line ${index}`] : []));
    expect(stored.length).toBeLessThan(2);
    const lines = await fileLedger(path).read();
    for (const line of stored) expect(lines).toContain(line);
  }
});

it('rejects the second one of two that append after a torn line, whatever comes between its steps', async () => {
  await written('first', 'second');
  truncateSync(path, statSync(path).size - 3);
  const [one, other] = [fileLedger(path), fileLedger(path)];
  expect([await one.read(), await other.read()]).toEqual([['first'], ['first']]);
  const file = await open(path);
  await file.close();
  const handle = Object.getPrototypeOf(file) as FileHandle;
  const { stat } = handle;
  // The first one appends after the second one has looked at the file.
  vi.spyOn(handle, 'stat').mockImplementationOnce(async function (this: FileHandle) {
    const found = await stat.call(this);
    await one.append('of one', 1);
    return found as never;
  });
  await expect(other.append('of the other', 1)).rejects.toThrow('another process writes');
  vi.restoreAllMocks();
  expect(await fileLedger(path).read()).toEqual(['first', 'of one']);
  await one.read();
  await one.append('again', 2);
  expect(await fileLedger(path).read()).toEqual(['first', 'of one', 'again']);
});

it.each<[string, readonly string[]]>([
  ['a line', ['first', 'second']],
  ['the first line', [HEADER]],
])('continues after %s that was torn twice, at whatever byte', async (_name, lines) => {
  await written(...lines);
  const whole = readFileSync(path);
  const kept = lines.slice(0, -1);
  const last = lines.at(-1)!;
  for (const cut of [whole.length - 1, whole.length - 8, whole.length - last.length - 5]) {
    writeFileSync(path, whole.subarray(0, cut));
    const first = fileLedger(path);
    await first.read();
    await first.append(last, kept.length);
    const again = readFileSync(path);
    for (let end = cut; end < again.length; end += 1) {
      writeFileSync(path, again.subarray(0, end));
      const ledger = fileLedger(path);
      expect(await ledger.read()).toEqual(kept);
      await ledger.append(last, kept.length);
      expect(await fileLedger(path).read()).toEqual(lines);
    }
  }
});

it('continues after a last line without its middle', async () => {
  await written('first', 'a second line that is longer');
  const whole = readFileSync(path);
  whole.fill(0, whole.length - 20, whole.length - 5);
  writeFileSync(path, whole);
  const ledger = fileLedger(path);
  await ledger.read();
  await ledger.append('second', 1);
  const marked = readFileSync(path);
  expect(await fileLedger(path).read()).toEqual(['first', 'second']);
  for (let end = whole.length; end < marked.length; end += 1) {
    writeFileSync(path, marked.subarray(0, end));
    expect(await fileLedger(path).read()).toEqual(['first']);
  }
  // The same zeros before a line that is whole.
  writeFileSync(path, Buffer.concat([whole, marked.subarray(marked.lastIndexOf(10, -2) + 1)]));
  await expect(fileLedger(path).read()).rejects.toThrow('is damaged');
});

it('rejects a line if the file was changed or cut', async () => {
  for (const spoil of [() => appendFileSync(path, 'x'), () => truncateSync(path, 3)]) {
    rmSync(path, { force: true });
    const ledger = await written('first');
    spoil();
    await expect(ledger.append('second', 1)).rejects.toThrow('another process writes');
  }
});

it('rejects two calls of one ledger at once, and a wrong number', async () => {
  const ledger = await written('first');
  const ends = await Promise.allSettled([ledger.append('a', 1), ledger.append('b', 1)]);
  expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  await expect(ledger.append('c', 7)).rejects.toThrow('another call');
});
