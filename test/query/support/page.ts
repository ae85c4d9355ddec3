/** A page for React: a window whose globals are there before React loads. vitest.config.ts imports it before each file. */
import { Window } from 'happy-dom';

export const ORIGIN = 'https://service.test';
const window = new Window({ url: `${ORIGIN}/verified` });
const { document, location, history, navigator } = window;
// Not the classes for requests: the client must use those of Node. Some versions of Node have a navigator, as a getter.
const globals = { window, document, location, history, navigator };
for (const [name, value] of Object.entries(globals)) {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}
