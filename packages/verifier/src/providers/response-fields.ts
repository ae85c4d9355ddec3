/**
 * Reads fields of a provider's response by their paths, such as `review.reviewStatus`. A field of another type than expected
 * counts as missing, and `applyPolicy` rejects what is missing.
 */
import { ProviderError } from '../provider.ts';

/** Returns the value at a path, or undefined if there is none. */
export function valueAt(response: unknown, path: string): unknown {
  let value = response;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** Returns the text at a path, or undefined for anything else. */
export function textAt(response: unknown, path: string): string | undefined {
  const value = valueAt(response, path);
  return typeof value === 'string' ? value : undefined;
}

/** Returns the text at a path. @throws ProviderError, which names the path, if there is none */
export function requiredText(response: unknown, path: string): string {
  const text = textAt(response, path);
  if (text !== undefined) return text;
  throw new ProviderError(`The provider's response has no ${path}. Compare the adapter with its documents.`);
}

/** Returns the date at a path as YYYY-MM-DD, or undefined for anything else. `applyPolicy` checks whether the day exists. */
export function dayAt(response: unknown, path: string): string | undefined {
  const text = textAt(response, path);
  return text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : undefined;
}

/** Returns the items of the list at a path. Anything else is an empty list. */
export function itemsAt(response: unknown, path: string): readonly unknown[] {
  const value = valueAt(response, path);
  return Array.isArray(value) ? value : [];
}

/** Returns the texts in the list at a path. */
export function textsAt(response: unknown, path: string): readonly string[] {
  return itemsAt(response, path).filter((item) => typeof item === 'string');
}

/** Returns the only item of a list. Nothing says which of several documents counts, so several give undefined. */
export function onlyOne<T>(items: readonly T[]): T | undefined {
  return items.length === 1 ? items[0] : undefined;
}
