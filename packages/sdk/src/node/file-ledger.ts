/** A ledger in a file that survives a kill of the process and a crash of the machine. */
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { IssueLedger } from '../chain/issue-many/ledger.ts';

/**
 * Returns a ledger for `issueMany` in a file, which is created with the first line. Each line is on the disk before its
 * promise resolves. The next line marks one that a kill left half written: what it is about was never sent. Every line has a
 * checksum, so a damaged file is an error. So is any other file, which stays as it is.
 *
 * Two processes can open the same file. The one that appends second is rejected, so that it sends nothing, and its line is
 * ignored. Keep the file on a local disk: some network drives do not store a line when they say so.
 *
 * @param path of the file, such as `issue-2026-11.jsonl`
 * @throws Error from `read` and `append`, which `issueMany` turns into ServiceError LEDGER_FAILED
 * @example
 * const rows = [{ destination, amount: 250_00n }];
 * const ledger = fileLedger('issue-2026-11.jsonl');
 * const report = await issueMany(wallet, { deployment, mint, rows, ledger });
 */
export function fileLedger(path: string): IssueLedger {
  let known: { readonly lines: number; readonly bytes: number; readonly torn: Buffer } | undefined;
  return {
    async read() {
      const file = await openOrNull(path, 'r');
      const bytes = file ? await using(file, () => file.readFile()) : Buffer.alloc(0);
      const { lines, length } = readAll(bytes);
      if (lines.length === 0 && !isTornHeader(bytes.subarray(length))) throw damaged('it');
      known = { lines: lines.length, bytes: bytes.length, torn: bytes.subarray(length) };
      return lines;
    },
    async append(line, number) {
      if (!known || known.lines !== number) throw new Error(`${path} is used by another call`);
      const before = known;
      // Until the line is stored, nothing is known.
      known = undefined;
      const mark = before.torn.length > 0 ? markOf(before.torn) : '';
      const record = Buffer.from(`${mark}${checksumOf(line, number)} ${line}\n`);
      const file = await open(path, 'a+', 0o600);
      await using(file, () => store(file, record, { path, bytes: before.bytes }));
      if (before.bytes === 0) await syncFolder(path);
      known = { lines: number + 1, bytes: before.bytes + record.length, torn: Buffer.alloc(0) };
    },
  };
}

interface Before {
  readonly path: string;
  /** The bytes of the file. */
  readonly bytes: number;
}

/** Appends a record, and checks before and after that nobody else did. Removes nothing that another process may have stored. */
async function store(file: FileHandle, record: Buffer, { path, bytes }: Before): Promise<void> {
  const other = () => new Error(`another process writes to ${path}`);
  if ((await file.stat()).size !== bytes) throw other();
  await file.appendFile(record);
  await file.datasync();
  const stored = Buffer.alloc(record.length);
  const { bytesRead } = await file.read(stored, 0, record.length, bytes);
  const isAlone =
    bytesRead === record.length &&
    stored.equals(record) &&
    (await file.stat()).size === bytes + record.length;
  if (!isAlone) throw other();
}

/** Returns the lines, and how many bytes they have. A torn line that is not marked can only be the last one. */
function readAll(bytes: Buffer): { lines: string[]; length: number } {
  const lines: string[] = [];
  const marks = new Set<string>();
  let length = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, end + 1)) {
    const record = bytes.subarray(length, end);
    const [checksum, line] = split(record.toString('utf8'));
    const mark = record.subarray(-MARK_BYTES).toString('latin1');
    if (checksum === checksumOf(line, lines.length)) lines.push(line);
    else if (`${mark}\n` === markOf(record.subarray(0, -MARK_BYTES))) marks.add(mark);
    else {
      // After a crash of the machine, the end of the last line can be there without its middle, which is zeros.
      if (record.includes(0)) continue;
      // Another process appended second: a line has its number already, or the torn line its mark. That process was told so,
      // and did nothing.
      const isSecond = marks.has(record.toString('latin1')) || hasNumber(lines, checksum, line);
      if (!isSecond) throw damaged(`line ${lines.length}`);
    }
    length = end + 1;
  }
  const torn = bytes.subarray(length);
  const end = torn.indexOf(10) + 1;
  const after = torn.subarray(end).toString('latin1');
  // Only a mark that is torn too can follow such zeros.
  if (end > 0 && !markOf(torn.subarray(0, end)).startsWith(after)) throw damaged(`line ${lines.length}`);
  return { lines, length };
}

const hasNumber = (lines: readonly string[], checksum: string, line: string) =>
  lines.some((_, number) => checksum === checksumOf(line, number));

function damaged(what: string): Error {
  return new Error(
    `${what} is damaged, or the file is no ledger. Nothing was changed. If it was a ledger, restore only a copy that contains every line. Otherwise, pass the path of a new file`,
  );
}

function split(record: string): [checksum: string, line: string] {
  const at = record.indexOf(' ');
  return [record.slice(0, at), record.slice(at + 1)];
}

/** The number in the checksum shows a line that is missing, or that was stored second. */
function checksumOf(line: string, number: number): string {
  return createHash('sha256').update(`${number} ${line}`).digest('hex').slice(0, 16);
}

const MARK_BYTES = ' torn '.length + 16;

/** Returns what follows the bytes of a torn line. No line ends like this, also if it is damaged. */
function markOf(torn: Uint8Array): string {
  return ` torn ${createHash('sha256').update('torn ').update(torn).digest('hex').slice(0, 16)}\n`;
}

/** How the first line of `issueMany` starts. */
const HEADER = '{"version":';

/**
 * Returns whether a file without a whole line is empty, or has a part of a first line that a kill left torn. Any other file
 * may be the user's list, or a ledger that lost its newlines.
 */
function isTornHeader(bytes: Buffer): boolean {
  // A kill can leave the mark of a torn line torn, too.
  const text = bytes.toString('utf8').replace(/ (t?|to|tor|torn|torn [0-9a-f]*)$/, '');
  // The first line has no brace before its end, so what follows one is another line.
  if (!/^([0-9a-f]{0,16}|[0-9a-f]{16} [^}\n]*\}?)$/.test(text)) return false;
  return HEADER.startsWith(text.slice(17, 17 + HEADER.length));
}

async function openOrNull(path: string, flags: string): Promise<FileHandle | null> {
  try {
    return await open(path, flags);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function using<T>(file: FileHandle, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } finally {
    await file.close();
  }
}

/** Stores the name of a new file. Windows cannot open a folder, and stores it with the file. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(dirname(path), 'r').catch(() => null);
  if (folder) await using(folder, () => folder.sync()).catch(() => undefined);
}
