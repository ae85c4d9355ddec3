/** A file that only grows, one entry at a time, so that a process killed at any moment leaves at most a torn last entry. */
import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { crc32 } from 'node:zlib';

/** The form of the file: raised when an older version could not read it any more. */
const FORMAT = 1;
const HEAD = Buffer.from(`localnet journal, format ${FORMAT}\n`);
/** Before each entry: its length and its CRC-32, little-endian. */
const FRAME_BYTES = 8;

/** A journal that cannot be read or written; the message says what to do. */
export class JournalError extends Error {
  override readonly name = 'JournalError';
}

/** What a journal holds, and the journal to go on with. */
export interface OpenedJournal<Entry> {
  readonly journal: Journal<Entry>;
  readonly entries: readonly Entry[];
}

/**
 * An open journal. What `append` returned from survives a kill of the process, not a power cut: nothing waits for the
 * disk. One process at a time: whoever opens it sees to that.
 */
export class Journal<Entry> {
  readonly #file: string;
  readonly #fd: number;
  #end: number;
  /** Whether bytes of an entry that was not taken may lie behind the end. */
  #isTorn: boolean;

  private constructor(file: string, fd: number, end: number) {
    this.#file = file;
    this.#fd = fd;
    this.#end = end;
    this.#isTorn = fstatSync(fd).size > end;
  }

  /**
   * Opens a journal, made when it is missing, and reads it. A torn last entry was never acknowledged and is dropped.
   *
   * @throws JournalError when the file is damaged, none of this version's, or cannot be opened or written.
   */
  static open<Entry>(file: string): OpenedJournal<Entry> {
    const fd = attempt(file, 'opened', () => openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600));
    try {
      const bytes = attempt(file, 'read', () => readAll(fd));
      const { entries, end } = readEntries<Entry>(file, bytes);
      const journal = new Journal<Entry>(file, fd, end);
      if (end === 0) journal.#write(HEAD);
      return { journal, entries };
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  /** Adds an entry, all of it or nothing. @throws JournalError when it cannot be written, as on a full disk. */
  append(entry: Entry): void {
    const payload = serialize(entry);
    const frame = Buffer.allocUnsafe(FRAME_BYTES);
    frame.writeUInt32LE(payload.length, 0);
    frame.writeUInt32LE(crc32(payload), 4);
    this.#write(Buffer.concat([frame, payload]));
  }

  close(): void {
    closeSync(this.#fd);
  }

  #write(bytes: Buffer): void {
    attempt(this.#file, 'written', () => {
      if (this.#isTorn) ftruncateSync(this.#fd, this.#end);
      this.#isTorn = true;
      for (let done = 0; done < bytes.length; ) {
        done += writeSync(this.#fd, bytes, done, bytes.length - done, this.#end + done);
      }
    });
    this.#isTorn = false;
    this.#end += bytes.length;
  }
}

/** The whole entries of a file, and where the last of them ends; 0 for a file that was only begun. */
function readEntries<Entry>(file: string, bytes: Buffer): { entries: Entry[]; end: number } {
  if (bytes.length < HEAD.length && HEAD.subarray(0, bytes.length).equals(bytes))
    return { entries: [], end: 0 };
  const format = /^localnet journal, format (\d+)\n/.exec(bytes.toString('latin1', 0, 64))?.[1];
  if (format === undefined) throw new JournalError(`${file} is no journal of localnet: name another folder`);
  if (Number(format) !== FORMAT) {
    throw new JournalError(
      `${file} is of format ${format}, and this version reads format ${FORMAT}: start the version that wrote it, or name another folder`,
    );
  }
  const entries: Entry[] = [];
  let end = HEAD.length;
  while (end + FRAME_BYTES <= bytes.length) {
    const start = end + FRAME_BYTES;
    const payload = bytes.subarray(start, start + bytes.readUInt32LE(end));
    if (start + bytes.readUInt32LE(end) > bytes.length) break;
    if (crc32(payload) !== bytes.readUInt32LE(end + 4)) throw damaged(file, end);
    entries.push(readEntry(file, end, payload));
    end = start + payload.length;
  }
  return { entries, end };
}

function readEntry<Entry>(file: string, at: number, payload: Buffer): Entry {
  try {
    // A copy, so that what an entry keeps of its bytes does not keep the whole file in memory.
    return deserialize(Buffer.from(payload)) as Entry;
  } catch (cause) {
    throw damaged(file, at, cause);
  }
}

function damaged(file: string, at: number, cause?: unknown): JournalError {
  return new JournalError(
    `${file} is damaged at byte ${at}, or a newer Node wrote it: restore a copy of the folder, or name another`,
    { cause },
  );
}

function readAll(fd: number): Buffer {
  const bytes = Buffer.alloc(fstatSync(fd).size);
  let done = 0;
  for (let read = -1; done < bytes.length && read !== 0; done += read) {
    read = readSync(fd, bytes, done, bytes.length - done, done);
  }
  return bytes.subarray(0, done);
}

function attempt<T>(file: string, what: string, run: () => T): T {
  try {
    return run();
  } catch (cause) {
    throw new JournalError(
      `${file} cannot be ${what}: ${cause instanceof Error ? cause.message : String(cause)}`,
      {
        cause,
      },
    );
  }
}
