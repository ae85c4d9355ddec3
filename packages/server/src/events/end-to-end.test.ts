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
import { readStream } from '../../test/support/events/stream-reader.ts';

const SECRET = `whsec_${Buffer.alloc(24, 3).toString('base64')}`;
const TOKEN = 'the-token-of-the-backend-of-a-dapp';

let receiver: Receiver;
let world: World;
beforeAll(async () => {
  receiver = await startReceiver(SECRET);
  world = await startWorld({ events: { receiver: { url: receiver.url, secrets: [SECRET] }, token: TOKEN } });
});
afterAll(async () => {
  await world.close();
  await receiver.close();
});

test('a backend gets what happens to a wallet, by webhook and by stream, with the same ids and in the same order', async () => {
  const { app } = world.created;
  const holder = await (await world.visitor()).signIn();
  const all = readStream(await app.request('/api/events', { headers: { Authorization: `Bearer ${TOKEN}` } }));
  const own = readStream(await app.request('/api/events', { headers: { Cookie: holder.cookie! } }));
  const finish = async (path: string, body: unknown) => {
    await holder.signAndSubmit(await holder.prepare(path, body));
    for (let round = 0; round < 3; round += 1) await world.finalize();
  };

  const body = ruleSetBody();
  await finish('/api/rules', body);
  const rule = (await own.readUntil(1))[0]!.data.data.rule as Address;
  await transferSol(world, holder.signer, { destination: rule, lamports: 20n * PASS_FEE });
  const witness = newWitness();
  await issueCredential(world, { wallet: holder.address, witness });
  const expiresAt = BigInt(world.net.time) + 3_600n;
  const proof = await proveRuleSet({ rule, wallet: holder.address, witness, body, expiresAt });
  await finish('/api/proofs', { rule, expiresAt: expiresAt.toString(), proof });
  await revokeCredential(world, holder.address);
  for (let round = 0; round < 4; round += 1) await world.finalize();

  const types = (events: readonly { data: { type: string } }[]) => events.map(({ data }) => data.type);
  const expected = [
    'operation.finalized',
    'credential.issued',
    'operation.finalized',
    'credential.revoked',
    'pass.closed',
  ];
  const messages = await own.readUntil(expected.length);
  expect(types(messages)).toEqual(expected);
  expect((await all.readUntil(expected.length)).map(({ id }) => id)).toEqual(messages.map(({ id }) => id));
  const webhooks = receiver.received;
  expect(webhooks.map(({ id }) => id)).toEqual(messages.map(({ data }) => data.id));
  expect(webhooks.every(({ isAuthentic }) => isAuthentic)).toBe(true);
  expect(webhooks.map(({ event }) => event)).toEqual(messages.map(({ data }) => data));
  const pass = await programAddresses(world.program).pass(rule, holder.address);
  expect(messages.at(-1)?.data.data).toMatchObject({
    address: pass,
    rule,
    reason: 'ENDED',
    expiresAt: `${expiresAt}`,
  });
});
