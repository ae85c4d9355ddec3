/** Runs one operation with the client that oazapfts generates. */
import { ok } from '@oazapfts/runtime';
import * as service from './generated/oazapfts.ts';
import { type Done, fetchOf, MOST_POLLS, type Site, type Wallet } from './site.ts';

/** Signs in, reads, and creates a rule set. */
export async function run(site: Site, wallet: Wallet): Promise<Done> {
  const by = { baseUrl: site.baseUrl, fetch: fetchOf(site) };

  const challenge = await ok(service.challenge({ wallet: wallet.address }, by));
  const signature = await wallet.signMessage(challenge.message);
  const { challengeId } = challenge;
  await ok(service.verify({ challengeId, wallet: wallet.address, signature }, by));
  const session = await ok(service.session(by));

  const config = await ok(service.config(by));
  const constraints: number = config.artifacts.manifest.constraints;
  if (!(constraints > 0)) throw new Error('the manifest has no constraints');

  const name = 'By oazapfts';
  const asked: service.CreateRuleSetRequest = {
    name,
    nonce: '1',
    clauses: [{ regions: ['FR', 'DE'], statuses: ['retail'], minAge: 18 }],
    maxPassAgeSeconds: 2_592_000,
  };
  let operation: service.Operation = await ok(service.createRuleSet('oazapfts-1', asked, by));
  if (operation.state !== 'DRAFT') throw new Error(`the operation is ${operation.state}`);
  // @ts-expect-error A draft has no slot.
  operation.slot;
  const { operationId } = operation;
  const states: string[] = [operation.state];
  const transaction = await wallet.signTransaction(operation.transaction);
  operation = await ok(service.submit({ operationId, transaction }, by));
  for (let poll = 0; poll < MOST_POLLS; poll += 1) {
    states.push(operation.state);
    if (isFinal(operation)) break;
    await site.pause();
    operation = await ok(service.operation(operationId, by));
  }
  const slot = slotOf(operation);

  const rules = await ok(service.rules({ limit: 500 }, by));
  const refused = await service.operation('none', by);
  const code: 'NOT_FOUND' | '' = refused.status === 404 ? refused.data.error.code : '';
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
