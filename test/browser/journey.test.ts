/**
 * The demo of `npm start`: an issuer and a holder in two browsers, with the keyboard only, on the real stack. The same in
 * each engine.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Demo, startDemo } from './support/demo.ts';
import { ENGINES } from './support/engines/engines.ts';
import { isInstalled } from './support/engines/executables.ts';
import type { Browser } from './support/engines/tab.ts';
import { openPerson, type Person } from './support/person.ts';
import {
  findsNoPlace,
  gatesToken,
  getsPasses,
  getsTokens,
  getsTwoWallets,
  grantsToCustodian,
  type Look,
  meetsLie,
  meetsLieAsIssuer,
  offersLimited,
  offersRuleSet,
  readsPowers,
  recoversForBob,
  replacesLost,
  savesWitness,
  seesGatedFrozen,
  seesRenewal,
  seesUnsupported,
  sendsAnyway,
  suspendsBob,
  TRANSFER_FORM,
  thawsGated,
  transfersToBob,
} from './support/steps.ts';
import { button, label } from './support/targets.ts';

/** From the first page to a transfer between two holders: three sign-ins, eight writes and two token accounts. */
const MOST = { presses: 59, approvals: 13 };

const check: Look = (person) => person.hasAccessiblePage();

for (const engine of ENGINES) {
  describe.skipIf(!isInstalled(engine.name))(`the demo in ${engine.name}`, () => {
    let demo: Demo;
    let browser: Browser;
    let issuer: Person;
    let holder: Person;
    /** A person with three wallets. */
    let owner: Person;

    beforeAll(async () => {
      [demo, browser] = await Promise.all([startDemo(), engine.start()]);
      issuer = await openPerson(engine, browser, { width: 1280, colorScheme: 'light' });
      holder = await openPerson(engine, browser, { width: 390, colorScheme: 'dark' });
      owner = await openPerson(engine, browser, { width: 390, colorScheme: 'light' });
    });
    afterAll(async () => {
      await Promise.all([issuer?.leaves(), holder?.leaves(), owner?.leaves()]);
      await browser?.close();
      await demo?.close();
    });

    it('has the narrowest window of the engine, and counts only keys as actions of the person', async () => {
      await holder.opens(demo.url);
      await holder.sees('By hand, step by step');
      expect(await holder.looks('innerWidth')).toBe(Math.max(390, engine.narrowest));
      expect(await holder.looks('navigator.userActivation.hasBeenActive')).toBe(false);
      await holder.press('Enter');
      expect(await holder.looks('navigator.userActivation.isActive')).toBe(true);
    });

    it('lets an issuer create a rule set, fund it, and bind a mint', () =>
      offersRuleSet(issuer, demo.url, check));

    it('lets two holders get verified and prove', () => getsPasses(holder, demo.url, check));

    it('saves the witness under a passphrase, which opens it after a reload', () =>
      savesWitness(holder, check));

    it('says what the issuer can do before a holder accepts the token', () => readsPowers(holder, check));

    it('lets the issuer issue, and says before a transfer that the recipient has no pass', async () => {
      await getsTokens(holder, issuer, check);
      await holder.presses(button('Use Issuer', TRANSFER_FORM));
      await holder.types(label('Amount', TRANSFER_FORM), '30');
      await holder.sees('Issuer must prove it first.', TRANSFER_FORM);
      expect(await holder.isEnabled(button('Transfer', TRANSFER_FORM))).toBe(false);
    });

    it('lets a holder transfer to a pass holder', async () => {
      await transfersToBob(holder, check);
      const [presses, approvals] = (['presses', 'approvals'] as const).map(
        (each) => issuer.done[each] + holder.done[each],
      );
      expect(presses).toBeLessThanOrEqual(MOST.presses);
      expect(approvals).toBeLessThanOrEqual(MOST.approvals);
    });

    it('lets the chain refuse a transfer that the page advises against', () => sendsAnyway(holder, check));

    it('says when a holder can renew a pass: sooner after a new verification', async () => {
      await seesRenewal(holder, check);
      await seesUnsupported(issuer, holder);
    });

    it('lets the issuer recover tokens of a lost wallet, and suspend another one', async () => {
      await recoversForBob(issuer, holder, check);
      await suspendsBob(issuer, holder, check);
    });

    it('lets the issuer grant a pass to a custodian, which then receives tokens, and end it', () =>
      grantsToCustodian(issuer, check));

    it('lets an issuer gate a token that has a holder, and freeze the account of the holder', () =>
      gatesToken(issuer, check));

    it('lets a holder thaw an account of a gated token and receive it, and the keeper freezes the account', async () => {
      await thawsGated(issuer, holder, check);
      await seesGatedFrozen(issuer, holder, check);
    });

    it('lets two wallets of one person prove a rule set that limits them, and refuses a third one', async () => {
      await offersLimited(issuer, check);
      await getsTwoWallets(owner, demo.url, check);
      await findsNoPlace(owner, check);
    });

    it('lets another wallet replace a lost one after an hour, which ends its pass', () =>
      replacesLost(owner, demo.skipHour, check));

    it('shows what the client refuses when the service lies, in the window of each width', async () => {
      await meetsLie(holder, check);
      await meetsLieAsIssuer(issuer, holder);
    });

    it('logs no error, no warning, and no violation of the content security policy', async () => {
      for (const { logged } of [issuer, holder, owner]) expect(logged).toEqual([]);
      // They would be seen.
      await holder.looks("console.error('an error')");
      await expect.poll(() => holder.logged.join()).toContain('an error');
    });
  });
}
