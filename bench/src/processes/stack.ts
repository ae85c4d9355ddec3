/** A development stack with a verified person and a rule set that the person meets. */
import { setTimeout as delay } from 'node:timers/promises';
import { artifactsDirectory } from '@service/circuit';
import { startStack } from '@service/development';
import { parseDeployment, ServiceClient, walletFromKeyPair } from '@service/sdk';
import { visitSandbox } from '@service/testing';
import { createKeyPairFromPrivateKeyBytes, createSolanaRpc, devnet, lamports } from '@solana/kit';
import pino from 'pino';
import { answer } from './answer.mjs';

answer({ person });

/** Returns what a process needs to prove: see our-proof.mjs. */
async function person() {
  const { deployment } = await startStack({
    ports: { site: 0, rpc: 0, verifier: 0 },
    slotMs: 200,
    finalitySlots: 8,
    pollIntervalMs: 100,
    // What the service warns of explains why a row failed.
    log: pino({ level: 'warn' }, pino.destination(2)),
  });
  const key = crypto.getRandomValues(new Uint8Array(32));
  const wallet = await walletFromKeyPair(await createKeyPairFromPrivateKeyBytes(key));
  const client = new ServiceClient({ deployment: parseDeployment(deployment) });
  const faucet = createSolanaRpc(devnet(deployment.rpcUrl));
  await faucet.requestAirdrop(wallet.address, lamports(1_000_000_000n)).send();
  while ((await faucet.getBalance(wallet.address, { commitment: 'finalized' }).send()).value === 0n)
    await delay(100);
  await client.authenticate(wallet, deployment.genesisHash);
  // The service refuses a verifier that it has not indexed yet. When this is final, it has indexed the verifier.
  const { rule } = await client.createRuleSet(wallet, {
    name: 'Swiss investors',
    clauses: [{ regions: ['CH'], statuses: ['accredited'], minAge: 21 }],
    maxPassAgeSeconds: 86_400n,
  });
  const { url } = await client.startVerification({ returnUrl: `${deployment.baseUrl}/verified` });
  const answers = { region: 'CH', status: 'accredited', birthDate: '1985-02-28' } as const;
  const { witness } = await visitSandbox(url, answers);
  await client.waitForCredential();
  return {
    key: Buffer.from(key).toString('base64'),
    deployment,
    witness,
    rule,
    artifacts: artifactsDirectory,
  };
}
