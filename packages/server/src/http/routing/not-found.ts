import { errorCodesOf } from '@service/contract';
import type { Service } from '../../service.ts';
import { ServiceFault } from '../failures/fault.ts';
import type { HttpApp } from './variables.ts';

/** Refuses every path that is none, counted per address like every request. To be defined after all others. */
export function defineNotFound(app: HttpApp, service: Service): void {
  // The codes of a file, which may not be there either.
  const codes = errorCodesOf('artifact');
  app.all('*', async (context) => {
    context.set('codes', codes);
    await service.limits.takeAddress(service.clientAddress(context), null);
    throw new ServiceFault('NOT_FOUND', 'This endpoint does not exist.');
  });
}
