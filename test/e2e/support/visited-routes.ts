/** Records which routes of the contract have responded, and parses each response by its schema. */
import { isErrorCode, ROUTES, type RouteName } from '@service/contract';
import * as z from 'zod/mini';

const NAMES = Object.keys(ROUTES) as RouteName[];

/** The routes that have responded with a body of their success schema. */
export class VisitedRoutes {
  readonly #visited = new Set<RouteName>();
  /** Sends requests by the global fetch and records their routes. */
  readonly fetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const response = await fetch(request);
    await this.#record(request, response);
    return response;
  };

  /** Returns the routes of the contract that have not responded. */
  missing(): RouteName[] {
    return NAMES.filter((name) => !this.#visited.has(name));
  }

  async #record(request: Request, response: Response): Promise<void> {
    const { pathname } = new URL(request.url);
    if (!pathname.startsWith('/api/')) return;
    const name = routeOf(request.method, pathname);
    if (!name) throw new Error(`${request.method} ${pathname} is not a route of the contract.`);
    const body: unknown = await response.clone().json();
    if (response.status === 200) {
      z.decode(ROUTES[name].response as z.ZodMiniType<unknown>, body);
      this.#visited.add(name);
    } else if (!isErrorCode((body as { error: { code: string } }).error.code)) {
      throw new Error(`${name} responded with ${response.status} and no code of the contract.`);
    }
  }
}

function routeOf(method: string, pathname: string): RouteName | undefined {
  const path = pathname.replace(/[0-9a-f-]{36}/, '{id}');
  return NAMES.find((name) => ROUTES[name].method === method && ROUTES[name].path === path);
}
