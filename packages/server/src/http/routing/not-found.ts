import { errorCodesOf } from '@service/contract';
import type { Service } from '../../service.ts';
import { ServiceFault } from '../failures/fault.ts';
import type { HttpApp } from './variables.ts';

/** Rejects every unknown path and counts it per address. Call it after all routes are defined. */
export function defineNotFound(app: HttpApp, service: Service): void {
  // A file can be NOT_FOUND too, so its codes fit.
  const codes = errorCodesOf('artifact');
  app.all('*', async (context) => {
    context.set('codes', codes);
    await service.limits.takeAddress(service.clientAddress(context), null);
    throw new ServiceFault('NOT_FOUND', 'There is no such endpoint. Check the method and the path.');
  });
}
