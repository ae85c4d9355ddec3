/** `npm run generate -- screenshots`: takes pictures of each page of the demo, in both themes and two widths. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startDemo } from './support/demo.ts';
import { CHROMIUM, ChromiumTab, startChromium } from './support/engines/chromium.ts';
import type { Tab } from './support/engines/tab.ts';
import { openPerson } from './support/person.ts';
import {
  findsNoPlace,
  gatesToken,
  getsPasses,
  getsTokens,
  getsTwoWallets,
  grantsToCustodian,
  type Look,
  meetsLie,
  offersLimited,
  offersRuleSet,
  playsStory,
  seesGatedFrozen,
  thawsGated,
  transfersToBob,
} from './support/steps.ts';

const FOLDER = join(import.meta.dirname, '../../docs/screenshots');
const WIDTHS = [390, 1280];

/** Takes a whole page. The last picture of a page stays, because most has happened on it. */
const take: Look = async ({ tab }, name) => {
  const page = pageOf(tab);
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

/** Only Chromium takes the pictures. */
function pageOf(tab: Tab): Page {
  if (tab instanceof ChromiumTab) return tab.page;
  throw new Error('The pictures are taken in Chromium.');
}

mkdirSync(FOLDER, { recursive: true });
const demo = await startDemo();
const chromium = await startChromium();
try {
  const display = { width: 1280, colorScheme: 'light' } as const;
  const issuer = await openPerson(CHROMIUM, chromium, display);
  const holder = await openPerson(CHROMIUM, chromium, display);
  const owner = await openPerson(CHROMIUM, chromium, display);
  const viewer = await openPerson(CHROMIUM, chromium, display);
  await playsStory(viewer, demo.url, take);
  await offersRuleSet(issuer, demo.url, take);
  await getsPasses(holder, demo.url, take);
  await getsTokens(holder, issuer, take);
  await transfersToBob(holder, take);
  await grantsToCustodian(issuer, take);
  await gatesToken(issuer, take);
  await thawsGated(issuer, holder, take);
  await seesGatedFrozen(issuer, holder, take);
  await offersLimited(issuer, take);
  await getsTwoWallets(owner, demo.url, take);
  await findsNoPlace(owner, take);
  await meetsLie(holder, take);
  const report = pageOf(holder.tab).getByRole('article', { name: /^Refused:/ });
  await report.screenshot({ path: join(FOLDER, 'refusal.png') });
} finally {
  await chromium.close();
  await demo.close();
}
