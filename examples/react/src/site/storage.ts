/** What the page stores. A browser can refuse storage, such as with blocked cookies. Then values last until the page is left. */

interface SafeStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** Shared by all tabs of the site. */
export const local = safe(() => localStorage);
/** Of this tab. */
export const session = safe(() => sessionStorage);

/** Returns a storage that never throws. Even reading `localStorage` can throw. */
function safe(storage: () => Storage): SafeStorage {
  /** What the browser did not accept; null for what it did not remove. */
  const refused = new Map<string, string | null>();
  const change = (key: string, value: string | null) => {
    refused.delete(key);
    try {
      if (value === null) storage().removeItem(key);
      else storage().setItem(key, value);
    } catch {
      refused.set(key, value);
    }
  };
  return {
    getItem(key) {
      const held = refused.get(key);
      if (held !== undefined) return held;
      try {
        return storage().getItem(key);
      } catch {
        return null;
      }
    },
    setItem: change,
    removeItem: (key) => change(key, null),
  };
}
