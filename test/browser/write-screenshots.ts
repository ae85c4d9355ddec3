/** `npm run generate -- screenshots`: takes pictures of each page of the demo, in both themes and two widths. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startDemo } from './support/demo.ts';
import { openPerson } from './support/person.ts';
import {
  getsPasses,
  getsTokens,
  type Look,
  meetsLie,
  offersRuleSet,
  transfersToBob,
} from './support/steps.ts';

const FOLDER = join(import.meta.dirname, '../../docs/screenshots');
const WIDTHS = [390, 1280];

/** Takes a whole page. The last picture of a page stays, because most has happened on it. */
const take: Look = async ({ page }, name) => {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      // The header stays at the top of the window.
      await page.evaluate(() => scrollTo(0, 0));
      await page.screenshot({
        path: join(FOLDER, `${name}-${width}-${colorScheme}.png`),
        scale: 'css',
        fullPage: true,
      });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
};

mkdirSync(FOLDER, { recursive: true });
const demo = await startDemo();
try {
  const issuer = await openPerson(demo.browser, { width: 1280, colorScheme: 'light' });
  const holder = await openPerson(demo.browser, { width: 1280, colorScheme: 'light' });
  await offersRuleSet(issuer, demo.url, take);
  await getsPasses(holder, demo.url, take);
  await getsTokens(holder, issuer, take);
  await transfersToBob(holder, take);
  await meetsLie(holder, take);
  const report = holder.page.getByRole('article', { name: /^Refused:/ });
  await report.screenshot({ path: join(FOLDER, 'refusal.png') });
} finally {
  await demo.close();
}
