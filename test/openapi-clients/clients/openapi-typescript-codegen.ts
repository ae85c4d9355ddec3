/** Submits a draft in a page with the client that openapi-typescript-codegen generates. Its `fetch` is that of the page. */
import { type Operation, OperationsService } from './generated/openapi-typescript-codegen/index.ts';
import type { Wallet } from './site.ts';

/** Signs a draft, submits it, and returns its slot if it is already final. */
export async function submitDraft(operationId: string, wallet: Wallet): Promise<bigint | undefined> {
  const draft = await OperationsService.operation(operationId);
  if (draft.state !== 'DRAFT') throw new Error(`the operation is ${draft.state}`);
  const transaction = await wallet.signTransaction(draft.transaction);
  return slotOf(await OperationsService.submit({ operationId, transaction }));
}

function slotOf(operation: Operation): bigint | undefined {
  if (operation.state === 'FINALIZED') return BigInt(operation.slot);
  // @ts-expect-error Only some states have a slot.
  operation.slot;
  if (operation.state === 'FAILED') throw new Error(operation.failure.message);
  // @ts-expect-error No state has this name.
  if (operation.state === 'OperationFinalized') throw new Error();
  return undefined;
}
