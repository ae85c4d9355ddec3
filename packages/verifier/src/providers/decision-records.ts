/** The records of the manual and the sandbox provider. Only providers store the data of people; the verifier does not. */
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { parseJson } from '../parse-json.ts';
import { type Decision, DOCUMENT_TYPES, ProviderError } from '../provider.ts';

const text = z.optional(z.string());

const decisionRecord = z.object({
  state: z.enum(['pending', 'approved', 'declined', 'retry']),
  sandbox: z.boolean(),
  flow: z.string(),
  updatedAt: z.number(),
  birthDate: text,
  nationality: text,
  residence: text,
  documentCountry: text,
  documentType: z.optional(z.enum(DOCUMENT_TYPES)),
  documentExpires: text,
  personId: text,
  tags: z.array(z.string()),
});

/** A check: its decision, when it began in Unix milliseconds, and the page to which the person goes back. */
const checkRecord = z.object({ createdAt: z.number(), returnUrl: z.url(), decision: decisionRecord });
/** A record of a check. */
export interface CheckRecord {
  readonly createdAt: number;
  readonly returnUrl: string;
  readonly decision: Decision;
}

/** Where the records are. */
export interface DecisionRecords {
  get(id: string): Promise<CheckRecord | null>;
  set(id: string, record: CheckRecord): Promise<void>;
  /** Returns the ids of all records. */
  ids(): Promise<string[]>;
}

/** An id is a random UUID. Nothing else can name a file. */
const ID = /^[0-9a-f-]{36}$/;

/** Keeps the records in memory. */
export function recordsInMemory(): DecisionRecords {
  const records = new Map<string, CheckRecord>();
  return {
    get: async (id) => records.get(id) ?? null,
    set: async (id, record) => void records.set(id, record),
    ids: async () => [...records.keys()],
  };
}

/** Keeps each record as a file of a folder, which only its owner can read. A kill leaves the old record or the new one. */
export function recordsInFolder(folder: string): DecisionRecords {
  const fileOf = (id: string) => join(folder, `${id}.json`);
  return {
    async get(id) {
      if (!ID.test(id)) return null;
      const content = await readFile(fileOf(id), 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw error;
      });
      if (content === null) return null;
      const parsed = z.safeParse(checkRecord, parseJson(content));
      if (!parsed.success)
        throw new ProviderError(`The record ${id} is damaged. Remove it: the person starts again.`);
      return parsed.data as CheckRecord;
    },
    async set(id, record) {
      if (!ID.test(id)) throw new RangeError('The id of a record must be a UUID.');
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(`${fileOf(id)}.new`, JSON.stringify(record, null, 2), { mode: 0o600 });
      await rename(`${fileOf(id)}.new`, fileOf(id));
    },
    async ids() {
      const names = await readdir(folder).catch(() => []);
      return names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length));
    },
  };
}
