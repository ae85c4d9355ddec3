/** The story of the demo plays to its end, with the keyboard only, on the real stack. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Demo, startDemo } from './support/demo.ts';
import { ENGINES } from './support/engines/engines.ts';
import { isInstalled } from './support/engines/executables.ts';
import type { Browser } from './support/engines/tab.ts';
import { openPerson } from './support/person.ts';
import { cancelsStory, type Look, playsStory } from './support/steps.ts';

/** What the page promises. */
const MOST_MS = 120_000;

const check: Look = (person) => person.hasAccessiblePage();

/** One for all engines: each story has its own people, rule set and token. */
let demo: Demo;
beforeAll(async () => {
  demo = await startDemo();
});
afterAll(() => demo?.close());

for (const engine of ENGINES) {
  describe.skipIf(!isInstalled(engine.name))(`the story in ${engine.name}`, () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await engine.start();
    });
    afterAll(() => browser?.close());

    // At both widths in one engine, because they differ only in the layout.
    const widths = engine.name === 'Chromium' ? [1280, 390] : [390];
    it.each(widths)('plays to its end at %i pixels, and shows each refusal in the window', async (width) => {
      const person = await openPerson(engine, browser, { width, colorScheme: 'light' });
      try {
        const began = performance.now();
        await playsStory(person, demo.url, check);
        expect(performance.now() - began).toBeLessThan(MOST_MS);
        // Play, and one press at each of the four stops.
        expect(person.done).toEqual({ presses: 5, approvals: 0 });
        expect(person.logged).toEqual([]);
      } finally {
        await person.leaves();
      }
    });

    it('can be paused, played by the step, and cancelled', async () => {
      const person = await openPerson(engine, browser, { width: 1280, colorScheme: 'dark' });
      try {
        await cancelsStory(person, demo.url);
        expect(person.logged).toEqual([]);
      } finally {
        await person.leaves();
      }
    });
  });
}
