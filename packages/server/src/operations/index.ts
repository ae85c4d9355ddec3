/** Operations: the five preparing endpoints, submit, state, and the worker (SPEC.md sections 3 and 4). */
import { defineRoute } from '../http/routing/define-route.ts';
import type { HttpApp } from '../http/routing/variables.ts';
import type { Service } from '../service.ts';
import { adopt } from './adopt.ts';
import { findOperation } from './find-operation.ts';
import { withDraftExpiry } from './prepare/drafts.ts';
import { prepare } from './prepare/prepare.ts';
import { operationRecordOf } from './record.ts';
import { submit } from './submit.ts';

export { startDraftSweeper } from './sweep.ts';
export { startWorker } from './worker/worker.ts';

/** Registers the preparing endpoints, adopt, submit and the state of an operation. */
export function registerOperations(app: HttpApp, service: Service): void {
  defineRoute(app, service, 'createRuleSet', (input) => prepare(service, 'createRuleSet', input));
  defineRoute(app, service, 'bindMint', (input) => prepare(service, 'bindMint', input));
  defineRoute(app, service, 'prove', (input) => prepare(service, 'prove', input));
  defineRoute(app, service, 'issue', (input) => prepare(service, 'issue', input));
  defineRoute(app, service, 'transfer', (input) => prepare(service, 'transfer', input));
  defineRoute(app, service, 'adopt', ({ body, wallet, signal }) =>
    adopt(service, { ...body, wallet, signal }),
  );
  defineRoute(app, service, 'submit', ({ body, wallet, signal }) =>
    submit(service, { ...body, wallet, signal }),
  );
  defineRoute(app, service, 'operation', async ({ params, wallet }) => {
    const row = await findOperation(service, { id: params.id ?? '', wallet });
    return operationRecordOf(service, await withDraftExpiry(service, row));
  });
}
