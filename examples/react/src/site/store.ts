/** Values outside of React that components follow. */
import { useSyncExternalStore } from 'react';
import { local } from './storage.ts';

export function createStore<T>(initial: T) {
  let value = initial;
  const listeners = new Set<() => void>();
  const get = () => value;
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    get,
    set(next: T) {
      value = next;
      for (const listener of listeners) listener();
    },
    /** Returns the value in a component, and renders it again after each change. */
    use: () => useSyncExternalStore(subscribe, get),
  };
}

const MOST_KEPT = 50;

/** Creates a list in localStorage, the newest first. All tabs of the site share it. */
export function createKeptList<T>(key: string) {
  const read = (): readonly T[] => {
    try {
      const list = JSON.parse(local.getItem(key) ?? '[]');
      return Array.isArray(list) ? list : [];
    } catch {
      return [];
    }
  };
  const { get, set, use } = createStore(read());
  // Another tab changed the storage. The key is null if the person cleared it.
  addEventListener('storage', (event) => {
    if (event.key === key || event.key === null) set(read());
  });
  return {
    get,
    use,
    /** Changes the list as it is stored now, because another tab may have changed it. */
    change(to: (list: readonly T[]) => readonly T[]) {
      const next = to(read()).slice(0, MOST_KEPT);
      local.setItem(key, JSON.stringify(next));
      set(next);
    },
  };
}
