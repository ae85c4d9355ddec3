/** Runs one operation with the client that @hey-api/openapi-ts generates. */
import { createClient } from './generated/hey-api/client/index.ts';
import * as service from './generated/hey-api/index.ts';
import { type Done, fetchOf, MOST_POLLS, type Site, type Wallet } from './site.ts';

/** Signs in, reads, and creates a rule set. */
export async function run(site: Site, wallet: Wallet): Promise<Done> {
  const client = createClient({ baseUrl: site.baseUrl, fetch: fetchOf(site), throwOnError: true });
  const by = { client, throwOnError: true } as const;

  const { data: challenge } = await service.challenge({ ...by, body: { wallet: wallet.address } });
  const signature = await wallet.signMessage(challenge.message);
  const { challengeId } = challenge;
  await service.verify({ ...by, body: { challengeId, wallet: wallet.address, signature } });
  const { data: session } = await service.session(by);

  const { data: config } = await service.config(by);
  const constraints: number = config.artifacts.manifest.constraints;
  if (!(constraints > 0)) throw new Error('the manifest has no constraints');

  const name = 'By hey-api';
  const prepared = await service.createRuleSet({
    ...by,
    headers: { 'Idempotency-Key': 'hey-api-1' },
    body: {
      name,
      nonce: '1',
      clauses: [{ regions: ['FR', 'DE'], statuses: ['retail'], minAge: 18 }],
      maxPassAgeSeconds: 2_592_000,
    },
  });
  let operation: service.Operation = prepared.data;
  if (operation.state !== 'DRAFT') throw new Error(`the operation is ${operation.state}`);
  // @ts-expect-error A draft has no slot.
  operation.slot;
  const { operationId } = operation;
  const states: string[] = [operation.state];
  const transaction = await wallet.signTransaction(operation.transaction);
  operation = (await service.submit({ ...by, body: { operationId, transaction } })).data;
  for (let poll = 0; poll < MOST_POLLS; poll += 1) {
    states.push(operation.state);
    if (isFinal(operation)) break;
    await site.pause();
    operation = (await service.operation({ ...by, path: { id: operationId } })).data;
  }
  const slot = slotOf(operation);

  const { data: rules } = await service.rules({ ...by, query: { limit: 500 } });
  const refused = await service.operation({ client, throwOnError: false, path: { id: 'none' } });
  const code: 'NOT_FOUND' | string = refused.error?.error.code ?? '';
  return {
    wallet: session.wallet,
    program: config.program,
    ruleSets: rules.ruleSets.map((ruleSet) => ruleSet.name),
    states,
    slot,
    refused: code,
  };
}

const isFinal = ({ state }: service.Operation) =>
  state === 'FINALIZED' || state === 'FAILED' || state === 'EXPIRED';

/** Returns the slot of a successful operation. */
function slotOf(operation: service.Operation): bigint {
  if (operation.state === 'FINALIZED') return BigInt(operation.slot);
  // @ts-expect-error Only some states have a slot.
  operation.slot;
  if (operation.state === 'FAILED') throw new Error(operation.failure.message);
  // @ts-expect-error No state has this name.
  if (operation.state === 'OperationFinalized') throw new Error();
  throw new Error(`the operation is still ${operation.state}`);
}
