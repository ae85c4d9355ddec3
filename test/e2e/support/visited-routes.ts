/** Watches requests and answers go by: which of contract's routes answered, each answer parsed by its schema. */
import { isErrorCode, ROUTES, type RouteName } from '@service/contract';
import * as z from 'zod/mini';

/** Which routes have answered with a success body of their schema so far. */
export class VisitedRoutes {
  readonly #visited = new Set<RouteName>();
  /** The global fetch, watched. */
  readonly fetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const response = await fetch(request);
    await this.#look(request, response);
    return response;
  };

  /** Routes of the contract that have not answered yet. */
  missing(): RouteName[] {
    return (Object.keys(ROUTES) as RouteName[]).filter((name) => !this.#visited.has(name));
  }

  async #look(request: Request, response: Response): Promise<void> {
    const { pathname } = new URL(request.url);
    if (!pathname.startsWith('/api/')) return;
    const name = routeOf(request.method, pathname);
    if (!name) throw new Error(`${request.method} ${pathname} is not a route of the contract`);
    const body: unknown = await response.clone().json();
    if (response.status === 200) {
      z.decode(ROUTES[name].response as z.ZodMiniType<unknown>, body);
      this.#visited.add(name);
    } else if (!isErrorCode((body as { error: { code: string } }).error.code)) {
      throw new Error(`${name} answered ${response.status} without a code of the contract`);
    }
  }
}

function routeOf(method: string, pathname: string): RouteName | undefined {
  return (Object.keys(ROUTES) as RouteName[]).find((name) => {
    const route = ROUTES[name];
    const pattern = new RegExp(`^${route.path.replace('{id}', '[0-9a-f-]{36}')}$`);
    return route.method === method && pattern.test(pathname);
  });
}
