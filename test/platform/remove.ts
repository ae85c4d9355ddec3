/** Removes globals and their members from this realm, before anything else runs in it. */
declare const NEWER_THAN_FLOOR: readonly string[];

export function removeNewer(names: readonly string[] = NEWER_THAN_FLOOR): void {
  for (const name of names) {
    const path = name.split('.');
    const last = path.pop() as string;
    let owner: unknown = globalThis;
    for (const part of path) owner = (owner as Record<string, unknown> | null | undefined)?.[part];
    if (owner === null || owner === undefined) continue;
    try {
      delete (owner as Record<string, unknown>)[last];
    } catch {
      // It cannot be removed, so it has always been there.
    }
  }
}
