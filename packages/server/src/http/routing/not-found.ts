import { FILE_ROUTES, ROUTES, type Route, UNMATCHED_ERRORS } from '@service/contract';
import type { Service } from '../../service.ts';
import { ServiceFault } from '../failures/fault.ts';
import type { HttpApp } from './variables.ts';

/** The methods of each path, as a pattern. */
const METHODS = methodsByPath();

/**
 * Rejects every unknown path with NOT_FOUND, and a known path with another method with METHOD_NOT_ALLOWED. The response to
 * OPTIONS names the methods of the path; no header allows other origins. Counts each request per address. Call it after
 * all routes are defined.
 */
export function defineNotFound(app: HttpApp, service: Service): void {
  app.all('*', async (context) => {
    context.set('codes', UNMATCHED_ERRORS);
    await service.limits.takeAddress(service.clientAddress(context), null);
    const methods = METHODS.find(({ pattern }) => pattern.test(context.req.path))?.methods;
    if (!methods) throw new ServiceFault('NOT_FOUND', 'There is no such endpoint. Check the path.');
    const allowed = methods.join(', ');
    context.header('Allow', allowed);
    if (context.req.method === 'OPTIONS') return context.body(null, 204);
    throw new ServiceFault('METHOD_NOT_ALLOWED', `The path does not have this method. Use ${allowed}.`);
  });
}

function methodsByPath(): { readonly pattern: RegExp; readonly methods: readonly string[] }[] {
  const routes: readonly Pick<Route, 'method' | 'path'>[] = Object.values(ROUTES);
  const files = Object.values(FILE_ROUTES).map(({ path }) => ({ method: 'GET' as const, path }));
  const all = [...routes, ...files];
  return [...new Set(all.map(({ path }) => path))].map((path) => {
    const methods = new Set(all.filter((each) => each.path === path).map(({ method }) => method));
    // A HEAD request runs the handler of GET, and its response has no body.
    const ordered = [
      ...(methods.has('GET') ? ['GET', 'HEAD'] : []),
      ...(methods.has('POST') ? ['POST'] : []),
    ];
    return { pattern: patternOf(path), methods: [...ordered, 'OPTIONS'] };
  });
}

/** Converts a path with `{name}` to a pattern in which each name is one segment, as in the router. */
function patternOf(path: string): RegExp {
  const literal = path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}
