/** Runs one operation with the types that openapi-typescript generates, and openapi-fetch. */
import createClient from 'openapi-fetch';
import type { components, paths } from './generated/openapi-typescript.ts';
import { type Done, fetchOf, MOST_POLLS, type Site, type Wallet } from './site.ts';

type Operation = components['schemas']['Operation'];

/** Signs in, reads, and creates a rule set. */
export async function run(site: Site, wallet: Wallet): Promise<Done> {
  const client = createClient<paths>({ baseUrl: site.baseUrl, fetch: fetchOf(site) });

  const challenge = dataOf(await client.POST('/api/auth/challenge', { body: { wallet: wallet.address } }));
  const signature = await wallet.signMessage(challenge.message);
  const { challengeId } = challenge;
  dataOf(await client.POST('/api/auth/verify', { body: { challengeId, wallet: wallet.address, signature } }));
  const session = dataOf(await client.GET('/api/auth/session'));

  const config = dataOf(await client.GET('/api/config'));
  const constraints: number = config.artifacts.manifest.constraints;
  if (!(constraints > 0)) throw new Error('the manifest has no constraints');

  const name = 'By openapi-typescript';
  let operation: Operation = dataOf(
    await client.POST('/api/rules', {
      params: { header: { 'Idempotency-Key': 'openapi-typescript-1' } },
      body: {
        name,
        nonce: '1',
        clauses: [{ regions: ['FR', 'DE'], statuses: ['retail'], minAge: 18 }],
        maxPassAgeSeconds: 2_592_000,
      },
    }),
  );
  if (operation.state !== 'DRAFT') throw new Error(`the operation is ${operation.state}`);
  // @ts-expect-error A draft has no slot.
  operation.slot;
  const { operationId } = operation;
  const states: string[] = [operation.state];
  const transaction = await wallet.signTransaction(operation.transaction);
  operation = dataOf(await client.POST('/api/transactions/submit', { body: { operationId, transaction } }));
  for (let poll = 0; poll < MOST_POLLS; poll += 1) {
    states.push(operation.state);
    if (isFinal(operation)) break;
    await site.pause();
    const params = { path: { id: operationId } };
    operation = dataOf(await client.GET('/api/operations/{id}', { params }));
  }
  const slot = slotOf(operation);

  const { ruleSets } = dataOf(await client.GET('/api/rules', { params: { query: { limit: 500 } } }));
  const refused = await client.GET('/api/operations/{id}', { params: { path: { id: 'none' } } });
  const code: 'NOT_FOUND' | string = refused.error?.error.code ?? '';
  return {
    wallet: session.wallet,
    program: config.program,
    ruleSets: ruleSets.map((ruleSet) => ruleSet.name),
    states,
    slot,
    refused: code,
  };
}

const isFinal = ({ state }: Operation) => state === 'FINALIZED' || state === 'FAILED' || state === 'EXPIRED';

/** Returns the slot of a successful operation. */
function slotOf(operation: Operation): bigint {
  if (operation.state === 'FINALIZED') return BigInt(operation.slot);
  // @ts-expect-error Only some states have a slot.
  operation.slot;
  if (operation.state === 'FAILED') throw new Error(operation.failure.message);
  // @ts-expect-error No state has this name.
  if (operation.state === 'OperationFinalized') throw new Error();
  throw new Error(`the operation is still ${operation.state}`);
}

/** Returns the body of a successful response. */
function dataOf<T>({ data, error }: { data?: T; error?: { error: { code: string } } }): T {
  if (data === undefined) throw new Error(`the service refused with ${error?.error.code}`);
  return data;
}
