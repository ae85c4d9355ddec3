/** A dApp's unit test with the installed packages: the service in memory, in Node, through msw. Throws when it fails. */
import { strict as assert } from 'node:assert';
import { isServiceError, ServiceClient, ServiceError } from '@service/sdk';
import { readDeployment, testWallet } from '@service/testing';
import { hostileHandlers, serviceHandlers } from '@service/testing/msw';
import { setupServer } from 'msw/node';

const service = await serviceHandlers();
const server = setupServer(...service.handlers);
// No options: msw 2 and 3 name them differently.
server.listen();

const { deployment } = service;
const client = new ServiceClient({ deployment });
const wallet = await testWallet('issuer');
await client.authenticate(wallet, deployment.genesisHash);
const request = {
  name: 'French professionals',
  clauses: [{ regions: ['FR'], statuses: ['professional'], minAge: 18 }],
  maxPassAgeSeconds: 86_400n,
} as const;
const { rule } = await client.createRuleSet(wallet, request);
assert.equal((await client.passport()).ruleSets[0]?.address, rule);
await client.startVerification({ returnUrl: `${deployment.baseUrl}/verified` });
assert.equal((await client.proofContext({ rule })).ruleSet.address, rule);

server.use(...hostileHandlers('prepare-instruction-after', service));
await assert.rejects(client.createRuleSet(wallet, request), (error) =>
  isServiceError(error, 'PREPARED_MISMATCH'),
);
// The testing package throws the error class of the installed SDK.
await assert.rejects(readDeployment('missing.json'), (error) => error instanceof ServiceError);
server.close();
// msw opens a BroadcastChannel and does not close it, which keeps Deno running.
if ('Deno' in globalThis) process.exit();
