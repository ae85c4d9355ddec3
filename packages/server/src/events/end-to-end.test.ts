import { programAddresses } from '@service/protocol';
import {
  issueCredential,
  newWitness,
  PASS_FEE,
  proveRuleSet,
  revokeCredential,
  ruleSetBody,
  startWorld,
  transferSol,
  type World,
} from '@service/server/test-service';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Receiver, startReceiver } from '../../test/support/events/receiver.ts';

const SECRET = `whsec_${Buffer.alloc(24, 3).toString('base64')}`;

let receiver: Receiver;
let world: World;
beforeAll(async () => {
  receiver = await startReceiver(SECRET);
  world = await startWorld({ events: { url: receiver.url, secrets: [SECRET] } });
});
afterAll(async () => {
  await world.close();
  await receiver.close();
});

test('a backend gets what happens to a wallet by webhooks, in order', async () => {
  const holder = await (await world.visitor()).signIn();
  const finish = async (path: string, body: unknown) => {
    await holder.signAndSubmit(await holder.prepare(path, body));
    for (let round = 0; round < 3; round += 1) await world.finalize();
  };

  const body = ruleSetBody();
  await finish('/api/rules', body);
  const rule = receiver.received[0]!.event.data.rule as Address;
  await transferSol(world, holder.signer, { destination: rule, lamports: 20n * PASS_FEE });
  const witness = newWitness();
  await issueCredential(world, { wallet: holder.address, witness });
  const expiresAt = BigInt(world.net.time) + 3_600n;
  const proof = await proveRuleSet({ rule, wallet: holder.address, witness, body, expiresAt });
  await finish('/api/proofs', { rule, expiresAt: expiresAt.toString(), proof });
  await revokeCredential(world, holder.address);
  for (let round = 0; round < 4; round += 1) await world.finalize();

  const { received } = receiver;
  expect(received.map(({ event }) => event.type)).toEqual([
    'operation.finalized',
    'credential.issued',
    'operation.finalized',
    'credential.revoked',
    'pass.closed',
  ]);
  expect(received.every(({ id, event, isAuthentic }) => isAuthentic && id === event.id)).toBe(true);
  expect(received.every(({ event }) => event.wallet === holder.address)).toBe(true);
  const pass = await programAddresses(world.program).pass(rule, holder.address);
  expect(received.at(-1)?.event.data).toMatchObject({
    address: pass,
    rule,
    reason: 'ENDED',
    expiresAt: `${expiresAt}`,
  });
});
