/** Searches errors and logs for what they must never contain. */
import { inspect } from 'node:util';

type Kind = 'cookie' | 'signature' | 'witness';

/** Collects secrets, and searches texts that must contain none of them. */
export class Secrets {
  readonly #values = new Map<string, Kind>();
  readonly #found = new Set<string>();
  /** How many texts were searched. */
  searched = 0;

  add(kind: Kind, value: string): void {
    this.#values.set(value, kind);
  }

  /** Returns how many secrets of a kind are known. */
  count(kind: Kind): number {
    return [...this.#values.values()].filter((each) => each === kind).length;
  }

  /** Searches an error: as JSON, as a console shows it, with hidden members and everything that caused it. */
  searchError(where: string, error: unknown): void {
    for (let each: unknown = error, depth = 0; each !== undefined && depth < 10; depth += 1) {
      this.search(
        where,
        JSON.stringify(each, (_key, value) => (typeof value === 'bigint' ? `${value}` : value)) ?? '',
      );
      this.search(
        where,
        inspect(each, { depth: Infinity, showHidden: true, maxStringLength: null, maxArrayLength: null }),
      );
      this.search(where, String((each as { stack?: unknown } | null)?.stack));
      each = each instanceof Error ? each.cause : undefined;
    }
  }

  /** Searches a text. */
  search(where: string, text: string): void {
    this.searched += 1;
    for (const [value, kind] of this.#values)
      if (text.includes(value)) this.#found.add(`${where}: a ${kind}`);
  }

  /** Where which kind of secret was found. */
  get found(): readonly string[] {
    return [...this.#found];
  }
}
