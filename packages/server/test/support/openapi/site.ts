/** A running service with one record of each kind, the same each time, so that it accepts the document's examples. */

import { ROUTES } from '@service/contract';
import { developmentKeys } from '@service/localnet';
import { openPort } from '@service/process';
import {
  createMint,
  createTokenAccount,
  issueCredential,
  newWitness,
  ORIGIN,
  ruleSetBody,
  startWorld,
  transferSol,
  Visitor,
  WEBHOOK_SECRET,
} from '@service/server/test-service';
import { startSandboxVerifier } from '@service/verifier';
import { type Address, createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit';
import pino from 'pino';

/** The site with its wallet and records. */
export type Site = Awaited<ReturnType<typeof startSite>>;

/** Start of a site's clock, in Unix seconds. */
export const SITE_START = 1_768_478_400;
/** The body of the site's rule set. */
export const SITE_RULE_SET = { ...ruleSetBody(1n), powers: ['suspend', 'grant'] };

/** Starts the site on a free port. */
export async function startSite() {
  const port = await openPort({ port: 0 });
  const world = await startWorld({ verifierUrl: port.url });
  const verifier = await startSandboxVerifier({
    authority: (await developmentKeys()).verifier.keyPair,
    program: world.program,
    genesisHash: world.net.genesisHash,
    siteOrigins: [ORIGIN],
    webhookUrl: `${ORIGIN}${ROUTES.webhook.path}`,
    webhookSecret: WEBHOOK_SECRET,
    personKey: new Uint8Array(32),
    clock: { now: () => SITE_START * 1_000 },
    log: pino({ level: 'silent' }),
    port,
  });
  const { url } = await world.created.listen({ port: 0 });
  const [holderKey, recipient, mintKey, freeMintKey] = await Promise.all([1, 2, 3, 4].map(fixedKey));
  const holder = new Visitor(world.created.app, holderKey!, ORIGIN);
  world.net.airdrop(holder.address, 10_000_000_000n);
  const witness = { ...newWitness(), salt: 7n, person: 8n };
  await issueCredential(world, { wallet: holder.address, witness });
  await holder.signIn();

  const rule = (await done('/api/rules', SITE_RULE_SET)).rule as Address;
  await transferSol(world, holder.signer, { destination: rule, lamports: 10_000_000n });
  const mint = await createMint(world, holder.signer, { key: mintKey!, template: 'security' });
  const freeMint = await createMint(world, holder.signer, { key: freeMintKey! });
  await world.finalize();
  await done('/api/mint-bindings', { mint, rule, requireSource: false });
  const source = await createTokenAccount(world, holder.signer, { mint, owner: holder.address });
  const destination = await createTokenAccount(world, holder.signer, { mint, owner: recipient!.address });
  await world.finalize();

  async function done(path: string, body: unknown) {
    const submitted = await holder.signAndSubmit(await holder.prepare(path, body));
    if (submitted.status !== 200) throw new Error(`${path}: ${submitted.message}`);
    for (let round = 0; round < 3; round += 1) {
      await world.finalize();
      const { body: operation } = await holder.operation(submitted.body.operationId);
      if (operation.state === 'FINALIZED') return operation;
    }
    throw new Error(`${path} did not become final`);
  }

  return {
    world,
    url,
    /** A signed-in wallet with a credential and a rule set with pass funds. It is the issuer of a bound mint. */
    holder,
    witness,
    rule,
    mint,
    /** A mint that meets the binding profile and has no binding. */
    freeMint,
    source,
    destination,
    /** A wallet without a credential. */
    recipient: recipient!.address,
    async close() {
      await world.close();
      await verifier.close();
    },
  };
}

const fixedKey = (number: number) => createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(number));
