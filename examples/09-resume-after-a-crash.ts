// Follow a write after the process that signed it was killed. Needs `npm start` in another terminal.
// It starts itself as a second process, which signs, and is killed before it knows the outcome.
import './help.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceClient } from '@service/sdk';
import { readDeployment } from '@service/testing';
import { createKeyPairSignerFromPrivateKeyBytes, createSolanaRpc, devnet, lamports } from '@solana/kit';

const journal = 'unfinished-operation.json';
const deployment = await readDeployment();
const client = new ServiceClient({ deployment });

// Both processes have the same key, as the processes of a server have from its key file.
const seed = process.env.SEED ?? Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex');
const wallet = await createKeyPairSignerFromPrivateKeyBytes(Buffer.from(seed, 'hex'));

if (process.env.SEED) {
  // The second process. The snapshot has the signature before the signed bytes leave: write it down then.
  client.subscribe(() => {
    const [operation] = client.getSnapshot().operations;
    if (!operation?.signature) return;
    const { operationId, signature } = operation;
    writeFileSync(journal, JSON.stringify({ operationId, signature }));
    if (operation.state !== 'SIGNED') process.kill(process.pid, 'SIGKILL'); // the service has the bytes
  });
  await client.authenticate(wallet, deployment.genesisHash);
  const clauses = [{ regions: ['FR'], statuses: ['professional'], minAge: 18 }] as const;
  await client.createRuleSet(wallet, {
    name: 'Made by a killed process',
    clauses,
    maxPassAgeSeconds: 3_600n,
  });
  throw new Error('the process was not killed');
}

// The first process gives the wallet SOL, starts the second one, and waits until it is dead.
const rpc = createSolanaRpc(devnet(deployment.rpcUrl));
await rpc.requestAirdrop(wallet.address, lamports(1_000_000_000n)).send();
while ((await rpc.getBalance(wallet.address, { commitment: 'finalized' }).send()).value === 0n)
  await delay(200);
const env = { ...process.env, SEED: seed };
const child = spawn(process.execPath, [...process.execArgv, process.argv[1]!], { env, stdio: 'inherit' });
const [, signal] = await once(child, 'exit');
console.log('the process that signed was ended by', signal);

// After a crash: read what was written down, sign in, and wait. This signs no transaction, so repeat it as you like.
const { operationId, signature } = JSON.parse(readFileSync(journal, 'utf8'));
await client.authenticate(wallet, deployment.genesisHash);
const operation = await client.waitForOperation(operationId, { signature });
rmSync(journal);
console.log('the chain has it all the same: rule set', operation.rule, 'in slot', operation.slot);
