/** The seconds from a revocation at the verifier to a refused transfer, on the real stack with real slots. */
import { startStack } from '@service/development';
import { programAddresses, readAccount } from '@service/protocol';
import { disposeProver, parseDeployment } from '@service/sdk';
import { createBindableMint, createTokenAccount, fundRuleSet } from '@service/sdk/chain';
import { takeApprovalBack } from '@service/test-support';
import { verifiedPerson } from '@service/testing';
import { createSolanaRpc } from '@solana/kit';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyAgain } from '../docs/costs/people.ts';

const PERSON = { region: 'DE', status: 'professional', birthDate: '1990-05-17' } as const;
/** Slots of mainnet, and the default interval of the server. Finality is sooner, because this test waits for it often. */
const PACE = { slotMs: 400, finalitySlots: 4, pollIntervalMs: 1_000 };
/** The docs promise a few seconds. */
const MOST_SECONDS = 10;

let stack: Awaited<ReturnType<typeof startStack>>;
beforeAll(async () => {
  const ports = { site: 0, rpc: 0, verifier: 0 };
  stack = await startStack({ ports, ...PACE, log: pino({ level: 'silent' }) });
});
afterAll(async () => {
  await disposeProver();
  await stack.close();
});

const isReady = async () => (await fetch(`${stack.deployment.baseUrl}/api/health/ready`)).ok;

test('a revocation stops transfers to the wallet within seconds', async () => {
  const deployment = parseDeployment(stack.deployment);
  const rpc = createSolanaRpc(deployment.rpcUrl);
  await expect.poll(isReady, { timeout: 20_000 }).toBe(true);
  const [issuer, holder] = [
    await verifiedPerson(deployment, PERSON),
    await verifiedPerson(deployment, PERSON),
  ];
  const { rule } = await issuer.client.createRuleSet(issuer.wallet, {
    name: 'Professionals',
    clauses: [{ regions: ['DE'], statuses: ['professional'], minAge: 18 }],
    maxPassAgeSeconds: 86_400n,
  });
  await fundRuleSet(issuer.wallet, { deployment, rule, lamports: 1_000_000n });
  const again = await verifyAgain(holder, PERSON);
  const people = [issuer, { ...holder, witness: again.witness }];
  for (const { client, wallet, witness } of people) await client.prove(wallet, { rule, witness });
  const { mint } = await createBindableMint(issuer.wallet, { deployment, decimals: 2 });
  await issuer.client.bindMint(issuer.wallet, { mint, rule, requireSource: false });
  const { tokenAccount: source } = await createTokenAccount(issuer.wallet, { deployment, mint });
  const { tokenAccount: destination } = await createTokenAccount(holder.wallet, { deployment, mint });
  await issuer.client.issue(issuer.wallet, { mint, destination: source, amount: 100n });
  const transfer = { mint, source, destination, amount: 10n };
  await issuer.client.transfer(issuer.wallet, transfer);

  const address = await programAddresses(deployment.program).pass(rule, holder.wallet.address);
  const reader = { rpc, program: deployment.program, commitment: 'confirmed' } as const;
  const before = await readAccount(reader, 'pass', address);
  const began = performance.now();
  await takeApprovalBack(again.checkUrl);
  let pass = before;
  while (pass?.data.expiresAt === before?.data.expiresAt) pass = await readAccount(reader, 'pass', address);
  const seconds = (performance.now() - began) / 1_000;

  console.log(`a revocation ended a pass in ${seconds.toFixed(1)} s`);
  expect(seconds).toBeLessThan(MOST_SECONDS);
  const refused = { code: 'OPERATION_FAILED' };
  await expect(issuer.client.transfer(issuer.wallet, transfer)).rejects.toMatchObject(refused);
}, 180_000);
