/** `npm run docs:screenshots`: takes pictures of each page of the demo, in both themes and two widths. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startDemo } from './support/demo.ts';
import { openPerson, type Person } from './support/person.ts';
import {
  addressOf,
  connects,
  createsRuleSet,
  fundsAndBinds,
  getsPass,
  issuesTo,
  meetsLie,
  signsIn,
} from './support/steps.ts';

const FOLDER = join(import.meta.dirname, '../../docs/screenshots');
const WIDTHS = [390, 1280];
const RULE_SET = 'EU professionals';

mkdirSync(FOLDER, { recursive: true });
const demo = await startDemo();
try {
  const issuer = await openPerson(demo.browser, { width: 1280, colorScheme: 'light' });
  const holder = await openPerson(demo.browser, { width: 1280, colorScheme: 'light' });
  await issuer.page.goto(demo.url);
  await issuer.sees('What to click first');
  await take(issuer, 'start');
  await connects(issuer, 'Issuer', ['Issuer']);
  await issuer.goesTo('Issuer desk');
  await signsIn(issuer);
  await createsRuleSet(issuer, RULE_SET);
  await fundsAndBinds(issuer, RULE_SET);
  await holder.page.goto(demo.url);
  await connects(holder, 'Alice', ['Alice']);
  await holder.goesTo('Holder page');
  await signsIn(holder);
  await getsPass(holder, RULE_SET, () => take(holder, 'verifier'));
  await issuesTo(issuer, await addressOf(holder, 'Alice'));
  await take(issuer, 'issuer');
  await take(holder, 'holder');
  await meetsLie(holder).catch(() => undefined);
  await holder.goesTo('Lying service');
  await take(holder, 'lies');
} finally {
  await demo.close();
}

/** Takes the upper part of a page. */
async function take({ page }: Person, name: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.evaluate(() => scrollTo(0, 0));
      await page.screenshot({ path: join(FOLDER, `${name}-${width}-${colorScheme}.png`), scale: 'css' });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
}
