/** The page of `test/query`, with the storages and the events that the example uses. vitest.config.ts imports it before each file. */
import '../../query/support/page.ts';

const { window } = globalThis;
const { localStorage, sessionStorage, StorageEvent } = window;
const addEventListener = window.addEventListener.bind(window);
const globals = { localStorage, sessionStorage, StorageEvent, addEventListener };
for (const [name, value] of Object.entries(globals)) {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}
