/** Operations: the five preparing endpoints, submit, state, and the worker (SPEC.md sections 3 and 4). */
import { OPERATION_KINDS, PREPARING_ROUTES } from '@service/contract';
import { defineRoute } from '../http/routing/define-route.ts';
import type { HttpApp } from '../http/routing/variables.ts';
import type { Service } from '../service.ts';
import { adopt } from './adopt.ts';
import { findOperation } from './find-operation.ts';
import { withDraftExpiry } from './prepare/drafts.ts';
import { type PrepareInput, prepare } from './prepare/prepare.ts';
import { operationRecordOf } from './record.ts';
import { submit } from './submit.ts';

export { startWorker } from './worker/worker.ts';

/** Registers the preparing endpoints, adopt, submit and the state of an operation. */
export function registerOperations(app: HttpApp, service: Service): void {
  for (const kind of OPERATION_KINDS) {
    defineRoute(app, service, PREPARING_ROUTES[kind], (input) =>
      prepare(service, kind, input as PrepareInput<typeof kind>),
    );
  }
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
