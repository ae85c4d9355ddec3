import { PREPARING_ROUTES, ROUTES, type RouteName } from '@service/contract';

const NAMES = Object.keys(ROUTES) as RouteName[];

/** The routes that prepare operations. */
export const PREPARING: readonly RouteName[] = Object.values(PREPARING_ROUTES);

/** Returns the name of the route that a request is for. */
export function routeOf({ method, url }: Request): RouteName | undefined {
  const { pathname } = new URL(url);
  return NAMES.find((name) => {
    const { method: expected, path } = ROUTES[name];
    return method === expected && new RegExp(`^${path.replace('{id}', '[^/]+')}$`).test(pathname);
  });
}
