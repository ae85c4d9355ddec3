/** A file that only grows, one entry at a time. A process that is killed leaves at most one incomplete entry, the last. */
import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { crc32 } from 'node:zlib';

/** Version of the file format. Raise it when older versions cannot read the file any more. */
const FORMAT = 1;
const HEAD = Buffer.from(`localnet journal, format ${FORMAT}\n`);
/** Size of the frame before each entry: its length and its CRC-32, little-endian. */
const FRAME_BYTES = 8;

/** A journal cannot be read or written. The message says what to do. */
export class JournalError extends Error {
  override readonly name = 'JournalError';
}

/** An open journal, and the entries that it contained. */
export interface OpenedJournal<Entry> {
  readonly journal: Journal<Entry>;
  readonly entries: readonly Entry[];
}

/**
 * An open journal. An entry survives a kill of the process once `append` has returned. It can be lost in a power cut,
 * because nothing waits for the disk. Only one process at a time may open it; the caller must ensure that.
 */
export class Journal<Entry> {
  readonly #file: string;
  readonly #fd: number;
  #end: number;
  /** Whether bytes of an entry that could not be written may follow the end. */
  #isTorn: boolean;

  private constructor(file: string, fd: number, end: number) {
    this.#file = file;
    this.#fd = fd;
    this.#end = end;
    this.#isTorn = fstatSync(fd).size > end;
  }

  /**
   * Opens and reads a journal, or creates it. Drops an incomplete last entry, because no caller got a confirmation of it.
   *
   * @throws JournalError if the file is damaged, has another format, or cannot be opened or written
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

  /** Adds a whole entry or nothing. @throws JournalError if it cannot be written, for example on a full disk */
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

/** Returns the complete entries of a file and the end of the last one, or 0 if the head is incomplete. */
function readEntries<Entry>(file: string, bytes: Buffer): { entries: Entry[]; end: number } {
  if (bytes.length < HEAD.length && HEAD.subarray(0, bytes.length).equals(bytes))
    return { entries: [], end: 0 };
  const format = /^localnet journal, format (\d+)\n/.exec(bytes.toString('latin1', 0, 64))?.[1];
  if (format === undefined)
    throw new JournalError(`${file} is not a journal of localnet. Choose another folder.`);
  if (Number(format) !== FORMAT) {
    throw new JournalError(
      `${file} has format ${format}, but this version reads format ${FORMAT}. Start the version that wrote it, or choose another folder.`,
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
    // Copy the bytes: otherwise an entry that refers to them would keep the whole file in memory.
    return deserialize(Buffer.from(payload)) as Entry;
  } catch (cause) {
    throw damaged(file, at, cause);
  }
}

function damaged(file: string, at: number, cause?: unknown): JournalError {
  return new JournalError(
    `${file} is damaged at byte ${at}, or a newer version of Node wrote it. Restore a copy of the folder, or choose another folder.`,
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
      `${file} cannot be ${what}. Check the file and the disk: ${cause instanceof Error ? cause.message : String(cause)}`,
      {
        cause,
      },
    );
  }
}
