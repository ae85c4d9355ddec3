import { programAddresses, revocationMessage, revokeCredentialInstructions } from '@service/protocol';
import { getDiscardCredentialInstruction } from '@service/protocol/generated';
import {
  endPasses,
  issueCredential,
  newWitness,
  PASS_FEE,
  proveRuleSet,
  ruleSetBody,
  send,
  setVerifier,
  transferSol,
  type Visitor,
} from '@service/server/test-service';
import { type Address, signBytes } from '@solana/kit';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { rpcAround } from '../../test/support/rpc-around.ts';
import { testWorld } from '../../test/support/test-world.ts';
import { countPassesToEnd } from '../chain-index/passes-to-end.ts';
import { readAttention } from '../health/attention.ts';
import type { Service } from '../service.ts';
import { startCredentialIssuer } from '../verification/issuing/issuer.ts';
import { queueRevocation } from '../verification/revoking/revocations.ts';
import { startPassCloser } from './index.ts';

const world = testWorld();
const body = ruleSetBody();
let rule: Address;
let holder: Visitor;
let pass: Address;

beforeAll(async () => {
  const issuer = await world.signedIn();
  rule = (await world.finish(issuer, await issuer.prepare('/api/rules', body))).rule as Address;
  await transferSol(world, issuer.signer, { destination: rule, lamports: 20n * PASS_FEE });
  await world.finalize();
});
beforeEach(async () => {
  await setVerifier(world, true);
  holder = await world.signedIn();
  pass = await programAddresses(world.program).pass(rule, holder.address);
  await prove();
});

/** Gives the holder a credential and a pass. */
async function prove(): Promise<void> {
  const witness = newWitness();
  await issueCredential(world, { wallet: holder.address, witness });
  const expiresAt = BigInt(world.net.time) + 3_600n;
  const proof = await proveRuleSet({ rule, wallet: holder.address, witness, body, expiresAt });
  const draft = await holder.prepare('/api/proofs', { rule, expiresAt: expiresAt.toString(), proof });
  expect((await world.finish(holder, draft)).state).toBe('FINALIZED');
}
/** Returns whether the pass exists and is live. */
async function isLive(): Promise<boolean> {
  const found = await world.account('pass', pass);
  return found !== null && found.data.expiresAt > BigInt(world.net.time);
}
/** Returns a revocation up to now, or some seconds later, which the verifier signed. */
async function revocation(secondsAhead = 0n) {
  const { program, keys, net } = world;
  const revokedAt = BigInt(net.time) + secondsAhead;
  const statement = { program, genesisHash: net.genesisHash, wallet: holder.address, revokedAt };
  const signature = await signBytes(keys.verifier.keyPair.privateKey, revocationMessage(statement));
  return { statement, signature, verifierAuthority: keys.verifier.address };
}
const queue = (claim: Awaited<ReturnType<typeof revocation>>) =>
  service()
    .db.transaction()
    .execute((trx) => queueRevocation(trx, claim));
const service = () => world.created.service;
const attention = (at: Service) => readAttention(at, at.signal);
const waiting = () => countPassesToEnd(service(), BigInt(world.net.time));

describe('a revocation', () => {
  const issuer = () => startCredentialIssuer(service());
  const state = async () => {
    const rows = service().db.selectFrom('credential_revocation').where('wallet', '=', holder.address);
    return (await rows.select('state').executeTakeFirstOrThrow()).state;
  };

  it('ends passes although the wallet discarded the credential a moment before', async () => {
    await queue(await revocation());
    const credential = await programAddresses(world.program).credential(holder.address);
    const accounts = { wallet: holder.signer, credential, passes: [] };
    const at = { programAddress: world.program };
    await send(world, holder.signer, [getDiscardCredentialInstruction(accounts, at)]);
    await issuer().tick();
    world.net.finalize();
    expect(await isLive()).toBe(false);
    await issuer().tick();
    expect(await state()).toBe('SETTLED');
  });

  it('ends passes when there is nothing left to revoke, and then waits', async () => {
    const { payer } = world.keys;
    const alone = { payer: payer.address, ...(await revocation()) };
    await send(world, payer, await revokeCredentialInstructions(alone));
    // The pass closer must not come first.
    await setVerifier({ ...world, finalize: async () => world.net.finalize() }, false);
    await queue(await revocation(1n));
    world.net.finalize();
    await issuer().tick();
    world.net.finalize();
    expect([await isLive(), await state()]).toEqual([false, 'REVOKING']);
    await issuer().tick();
    expect(await state()).toBe('WATCHING');
  });
});

describe('the pass closer', () => {
  it('keeps a pass that its credential supports', async () => {
    await world.settle();
    expect([await waiting(), await isLive()]).toEqual([0, true]);
  });

  it('keeps the pass of a holder who verified again', async () => {
    await issueCredential(world, { wallet: holder.address, witness: newWitness(), secondsAhead: 1n });
    await world.settle();
    expect([await waiting(), await isLive()]).toEqual([0, true]);
  });

  it('ends the pass of a revoked credential that was replaced before its revocation was on chain', async () => {
    const claim = await revocation();
    await issueCredential(world, { wallet: holder.address, witness: newWitness(), secondsAhead: 10n });
    await queue(claim);
    await world.settle();
    expect([await waiting(), await isLive()]).toEqual([0, false]);
  });

  it('ends the passes of a verifier that was switched off, and the service pays', async () => {
    await setVerifier(world, false);
    await world.settle();
    expect(await isLive()).toBe(false);
  });

  it('retries after an outage, asks for a person, and another process can do it', async () => {
    let sent = 0;
    const rpc = rpcAround(world.net, (call, method) => {
      if (method === 'sendTransaction') {
        sent += 1;
        throw new TypeError('fetch failed');
      }
      return call();
    });
    const broken = { ...service(), rpc, closing: new Map() };
    // The pass is not due for the other process.
    service().closing.set(pass, { count: 0, dueAt: Number.POSITIVE_INFINITY });
    await setVerifier(world, false);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect(await attention(broken)).toEqual([]);
      await startPassCloser(broken).tick();
      // It does not try again while its transaction may land.
      await startPassCloser(broken).tick();
      world.clock.ms += 60_000;
    }
    expect(sent).toBe(3);
    expect(await attention(broken)).toEqual(['passes']);
    expect([await waiting(), await isLive()]).toEqual([1, true]);

    const restarted = { ...service(), closing: new Map() };
    await startPassCloser(restarted).tick();
    await world.finalize();
    expect([await waiting(), await isLive()]).toEqual([0, false]);
    await startPassCloser(broken).tick();
    expect(await attention(broken)).toEqual([]);
  });

  // The last test, because nobody can prove in the second in which governance ends all passes.
  it('leaves passes that governance ended, which cost fees to close', async () => {
    await endPasses(world);
    await world.settle();
    const before = await world.account('pass', pass);
    await setVerifier(world, false);
    await world.settle();
    expect(await waiting()).toBe(0);
    expect(await world.account('pass', pass)).toEqual(before);
  });
});
