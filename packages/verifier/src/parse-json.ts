/** Parses JSON. Returns null for anything else, which no schema of this package accepts. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
