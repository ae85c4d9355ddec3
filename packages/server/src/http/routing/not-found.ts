import { UNMATCHED_ERRORS } from '@service/contract';
import type { Service } from '../../service.ts';
import { ServiceFault } from '../failures/fault.ts';
import type { HttpApp } from './variables.ts';

/**
 * Serves the pages of a site at paths that the service does not have. Gets GET and HEAD requests. Resolves to null if there
 * is no such page.
 */
export type Pages = (request: Request) => Promise<Response | null>;

/** Every path below these is the service's own, so that a wrong path of the API never returns a page. */
const OWN_PATHS = /^\/(?:api|artifacts)(?:\/|$)/;
/** The methods of routes, and those that each allows. A HEAD request runs the handler of GET, and its response has no body. */
const METHODS = { GET: ['GET', 'HEAD'], POST: ['POST'] };

/**
 * Rejects every unknown path with NOT_FOUND, and a known path with another method with METHOD_NOT_ALLOWED. The response to
 * OPTIONS names the methods of the path; no header allows other origins. Counts each request per address. Asks `pages`
 * first for paths that are not the service's own. Call it after all routes are defined.
 */
export function defineNotFound(app: HttpApp, service: Service, pages?: Pages): void {
  app.all('*', async (context) => {
    context.set('codes', UNMATCHED_ERRORS);
    await service.limits.takeAddress(service.clientAddress(context), null);
    const { method, path } = context.req;
    if (pages && (method === 'GET' || method === 'HEAD') && !OWN_PATHS.test(path)) {
      const page = await pages(context.req.raw);
      // Keeps the headers of the service too.
      if (page) return context.newResponse(page.body, page);
    }
    const methods = Object.entries(METHODS).flatMap(([each, allowed]) => {
      const [handlers] = app.router.match(each, path);
      return handlers.some(([[, route]]) => route.method === each) ? allowed : [];
    });
    if (methods.length === 0)
      throw new ServiceFault('NOT_FOUND', 'There is no such endpoint. Check the path.');
    const allowed = [...methods, 'OPTIONS'].join(', ');
    context.header('Allow', allowed);
    if (method === 'OPTIONS') return context.body(null, 204);
    throw new ServiceFault('METHOD_NOT_ALLOWED', `The path does not have this method. Use ${allowed}.`);
  });
}
