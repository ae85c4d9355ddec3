/** The demo of `npm start`: an issuer and a holder in two browsers, with the keyboard only, on the real stack. */
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM, type Demo, startDemo } from './support/demo.ts';
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
  switchesTo,
  transferForm,
} from './support/steps.ts';

const RULE_SET = 'EU professionals';

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

  it('lets an issuer create a rule set, fund it, and bind a mint', async () => {
    await issuer.page.goto(demo.url);
    await issuer.sees('What to click first');
    await issuer.hasAccessiblePage();
    await connects(issuer, 'Issuer', ['Issuer']);
    await issuer.goesTo('Issuer desk');
    await issuer.hasAccessiblePage();
    await signsIn(issuer);
    await createsRuleSet(issuer, RULE_SET);
    await fundsAndBinds(issuer, RULE_SET);
    await issuer.hasAccessiblePage();
  });

  it('lets two holders get verified and prove', async () => {
    await holder.page.goto(demo.url);
    await connects(holder, 'Alice', ['Alice', 'Bob']);
    await holder.goesTo('Holder page');
    await holder.hasAccessiblePage();
    for (const account of ['Bob', 'Alice']) {
      await switchesTo(holder, account);
      await signsIn(holder);
      await getsPass(holder, RULE_SET);
    }
    await holder.hasAccessiblePage();
  });

  it('lets the issuer issue, and a holder transfer to a pass holder and to nobody else', async () => {
    await issuesTo(issuer, await addressOf(holder, 'Alice'));
    const form = transferForm(holder);
    await holder.presses(holder.button('Use Issuer', form));
    await holder.types(form.getByLabel('Amount'), '30');
    await holder.sees('Issuer must prove it first.', form);
    expect(await holder.button('Transfer', form).isEnabled()).toBe(false);

    await holder.presses(holder.button('Use Bob', form));
    await holder.presses(holder.button('Create the recipient’s token account', form));
    await holder.approves();
    await holder.presses(holder.button('Transfer', form));
    await holder.approves();
    await holder.sees('Transferred 30 tokens. It is final.', form);
  });

  it('shows what the client refuses when the service lies', async () => {
    const report = await meetsLie(holder);
    await holder.sees('PREPARED_MISMATCH', report);
    await holder.sees('Your wallet was not asked, and nothing was sent.', report);
    await holder.hasAccessiblePage();
    await holder.goesTo('Lying service');
    await holder.sees('The client refused');
    await holder.hasAccessiblePage();
  });

  it('logs no error, no warning, and no violation of the content security policy', () => {
    expect({ issuer: issuer.logged, holder: holder.logged }).toEqual({ issuer: [], holder: [] });
  });
});
