import { errorCodesOf, FILE_ROUTES, type FileRouteName } from '@service/contract';
import type { Service } from '../../service.ts';
import { patternOf } from './define-route.ts';
import type { HttpApp, HttpContext } from './variables.ts';

/** Returns a file or a page. Throws ServiceFault to reject the request. */
export type FileHandler = (context: HttpContext) => Promise<Response> | Response;

/** Serves a file or page of the contract. It counts each request per address and sends only declared error codes. */
export function defineFile(app: HttpApp, service: Service, name: FileRouteName, handler: FileHandler): void {
  const codes = errorCodesOf(name);
  app.get(patternOf(FILE_ROUTES[name].path), async (context) => {
    context.set('route', name);
    context.set('codes', codes);
    await service.limits.takeAddress(service.clientAddress(context), null);
    return handler(context);
  });
}
