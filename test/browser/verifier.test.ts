/** A person gets verified in each engine, with the keyboard only, through the fake of an identity provider. */
import { readVariables } from '@service/configuration';
import { openPort } from '@service/process';
import { startWorld, Visitor, WEBHOOK_SECRET } from '@service/server/test-service';
import { createVerifier, openDatabase, PROVIDER_KINDS } from '@service/verifier';
import { type FakeProvider, startFake } from '@service/verifier/fake-providers';
import { generateKeyPairSigner, signBytes } from '@solana/kit';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGINES } from './support/engines/engines.ts';
import { isInstalled } from './support/engines/executables.ts';
import type { Browser } from './support/engines/tab.ts';
import { openPerson, type Person } from './support/person.ts';
import { button, byRole } from './support/targets.ts';

type Site = Awaited<ReturnType<typeof startSite>>;

/** Starts a service on its own chain, and a verifier with the fake of Sumsub. */
async function startSite() {
  const [sitePort, verifierPort] = [await openPort({ port: 0 }), await openPort({ port: 0 })];
  const origin = sitePort.url;
  const world = await startWorld({ origin, verifierUrl: verifierPort.url });
  await world.created.listen(sitePort);
  const times = { now: () => world.clock.now() };
  const { fake, environment } = await startFake('sumsub', times);
  fake.webhookUrl = `${verifierPort.url}/webhook`;
  const { variables, create } = PROVIDER_KINDS.sumsub!;
  const { values } = readVariables(variables, environment);
  const database = await openDatabase({ memory: true });
  const { address, keyPair } = world.keys.verifier;
  const verifier = await createVerifier({
    settings: {
      origin: verifierPort.url,
      program: world.program,
      genesisHash: world.net.genesisHash,
      sites: [
        {
          origins: [origin],
          webhookUrl: `${origin}/api/verifier/webhook`,
          webhookSecrets: [WEBHOOK_SECRET],
        },
      ],
      policy: {
        version: '1',
        region: 'nationality',
        documents: ['passport'],
        credentialDays: 365,
        statusOfTag: {},
      },
      allowSandbox: false,
    },
    database,
    provider: create(values, { origin: verifierPort.url, ...times }),
    attestationKey: { address, sign: (message) => signBytes(keyPair.privateKey, message) },
    personKey: { mac: async (id) => new Uint8Array(await crypto.subtle.digest('SHA-256', id.slice())) },
    log: pino({ level: 'silent' }),
    clock: world.clock,
    pollIntervalMs: 100,
  });
  await verifier.listen(verifierPort);
  return {
    fake,
    origin,
    /** Starts a verification of a new wallet. Returns the wallet and the link. */
    async start() {
      const visitor = await new Visitor(world.created.app, await generateKeyPairSigner(), origin).signIn();
      const returnUrl = `${origin}/verified`;
      const { body } = await visitor.post<{ url: string }>('/api/verification-sessions', { returnUrl });
      return { visitor, url: body.url };
    },
    async close() {
      await verifier.close();
      await database.close();
      fake.close();
      await world.close();
    },
  };
}

/** Waits until a person is back at the site. Returns the wallet of the witness in the fragment. */
async function walletOfWitness(person: Person, { origin }: Site): Promise<string> {
  const isBack = `location.href.startsWith(${JSON.stringify(`${origin}/verified#witness=`)})`;
  // Firefox may never answer the next navigation if it begins while a page loads.
  await person.waitsFor(`${isBack} && document.readyState === 'complete'`);
  const fragment = await person.looks<string>('location.hash');
  return JSON.parse(Buffer.from(fragment.slice('#witness='.length), 'base64url').toString()).wallet;
}

const latest = (fake: FakeProvider) => [...fake.checks.keys()].at(-1)!;

for (const engine of ENGINES) {
  describe.skipIf(!isInstalled(engine.name))(`the verifier in ${engine.name}`, () => {
    let site: Site;
    let browser: Browser;
    let person: Person;
    let phone: Person;
    beforeAll(async () => {
      [site, browser] = await Promise.all([startSite(), engine.start()]);
      person = await openPerson(engine, browser, { width: 1280, colorScheme: 'light' });
      phone = await openPerson(engine, browser, { width: 390, colorScheme: 'dark' });
    });
    afterAll(async () => {
      await Promise.all([person?.leaves(), phone?.leaves()]);
      await browser?.close();
      await site?.close();
    });

    it('shows the whole wallet, and lets an approved person go back with the witness', async () => {
      const { visitor, url } = await site.start();
      await person.opens(url);
      await person.sees(visitor.address);
      await person.hasAccessiblePage();
      await person.presses(button('Continue on this device'));
      await person.presses(button('Approve'));
      expect(await walletOfWitness(person, site)).toBe(visitor.address);
      const { body } = await visitor.get<{ verification: { state: string } }>('/api/passport');
      expect(body.verification.state).toBe('ISSUING');
    });

    it('goes on by itself when a check in review is approved', async () => {
      const { visitor, url } = await site.start();
      await person.opens(url);
      await person.hasAccessiblePage();
      await person.presses(button('Begin a new check'));
      await person.presses(button('Leave in review'));
      await person.finds(byRole('heading', 'Your check is in review'));
      await person.hasAccessiblePage();
      await site.fake.decide(latest(site.fake), 'approved');
      expect(await walletOfWitness(person, site)).toBe(visitor.address);
    });

    it('hands over to a phone, and goes on by itself', async () => {
      const { visitor, url } = await site.start();
      await phone.opens(url);
      await phone.presses(button('Continue on your phone'));
      await phone.finds(byRole('heading', 'Continue on your phone'));
      await phone.hasAccessiblePage();
      const link = await phone.looks<string>('document.querySelector("a[href*=phone]").href');
      await person.opens(link);
      await person.sees(visitor.address);
      await person.hasAccessiblePage();
      await person.presses(button('Continue on this device'));
      await person.presses(button('Approve'));
      await person.finds(byRole('heading', 'Done on this phone'));
      expect(await walletOfWitness(phone, site)).toBe(visitor.address);
    });

    it('says what to do when the provider asks for another try, and when it declines', async () => {
      const { url } = await site.start();
      await person.opens(url);
      await person.presses(button('Begin a new check'));
      await person.presses(button('Ask for another try'));
      await person.finds(byRole('heading', 'Please try again'));
      await person.hasAccessiblePage();
      await person.presses(button('Begin a new check'));
      await person.presses(button('Decline'));
      await person.finds(byRole('heading', 'You were not verified'));
      await person.hasAccessiblePage();
    });

    it('logs no error, no warning, and no violation of the content security policy', () => {
      // The site of this test has no page at /verified, and the fake of the provider has no icon.
      const own = [...person.logged, ...phone.logged].filter((line) => !/Failed to load resource/.test(line));
      expect(own).toEqual([]);
    });
  });
}
