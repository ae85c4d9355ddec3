/** The demo of `npm start`: an issuer and a holder in two browsers, with the keyboard only, on the real stack. */
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM, type Demo, startDemo } from './support/demo.ts';
import { openPerson, type Person } from './support/person.ts';
import {
  getsPasses,
  getsTokens,
  type Look,
  meetsLie,
  offersRuleSet,
  seesRenewal,
  transferForm,
  transfersToBob,
} from './support/steps.ts';

const check: Look = (person) => person.hasAccessiblePage();

describe.skipIf(!existsSync(CHROMIUM))('the demo', () => {
  let demo: Demo;
  let issuer: Person;
  let holder: Person;

  beforeAll(async () => {
    demo = await startDemo();
    issuer = await openPerson(demo.browser, { width: 1280, colorScheme: 'light' });
    holder = await openPerson(demo.browser, { width: 390, colorScheme: 'dark' });
  });
  afterAll(() => demo?.close());

  it('lets an issuer create a rule set, fund it, and bind a mint', () =>
    offersRuleSet(issuer, demo.url, check));

  it('lets two holders get verified and prove', () => getsPasses(holder, demo.url, check));

  it('says when a holder can renew a pass: sooner after a new verification', () =>
    seesRenewal(holder, check));

  it('lets the issuer issue, and says before a transfer that the recipient has no pass', async () => {
    await getsTokens(holder, issuer, check);
    const form = transferForm(holder);
    await holder.presses(holder.button('Use Issuer', form));
    await holder.types(form.getByLabel('Amount'), '30');
    await holder.sees('Issuer must prove it first.', form);
    expect(await holder.button('Transfer', form).isEnabled()).toBe(false);
  });

  it('lets a holder transfer to a pass holder', () => transfersToBob(holder, check));

  it('shows what the client refuses when the service lies', () => meetsLie(holder, check));

  it('logs no error, no warning, and no violation of the content security policy', () => {
    expect({ issuer: issuer.logged, holder: holder.logged }).toEqual({ issuer: [], holder: [] });
  });
});
