/** Checks that every refusal of a service under test is documented, and records it. */
import { appendFileSync } from 'node:fs';
import {
  ERROR_CODES,
  errorCodesOf,
  FILE_ROUTES,
  type FileRouteName,
  isErrorCode,
  REQUEST_ID_HEADER,
  ROUTES,
  type RouteName,
  UNMATCHED_ERRORS,
} from '@service/contract';
import { expect } from 'vitest';
import type { CreatedService } from '../../../src/index.ts';

const endpoints = Object.entries({ ...ROUTES, ...FILE_ROUTES }).map(([name, { path, ...route }]) => ({
  name: name as RouteName | FileRouteName,
  method: 'method' in route ? route.method : 'GET',
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

/**
 * Checks every refusal of the app: the route declares the code, the status belongs to it, and the error body contains
 * only its fields. A difference throws, so the test fails. If REFUSALS names a file, the route and code of each refusal are
 * written there as one line, for packages/server/scripts/check-refusals.ts.
 */
export function watchRefusals(app: CreatedService['app']): void {
  const respond = app.fetch;
  app.fetch = async (request, ...rest) => {
    const response = await respond(request, ...rest);
    // The response to HEAD has no body.
    if (response.status >= 400 && request.method !== 'HEAD') await watch(request, response.clone());
    return response;
  };
}

async function watch({ method, url }: Request, response: Response): Promise<void> {
  const { pathname } = new URL(url);
  const route = endpoints.find((each) => each.method === method && each.pattern.test(pathname))?.name;
  const body = await response.json();
  const problem = problemOf(route, response, body);
  if (problem)
    throw new Error(`${method} ${pathname} ${problem}: ${response.status} ${JSON.stringify(body)}`);
  if (route && process.env.REFUSALS) record(process.env.REFUSALS, `${route} ${body.error.code}`);
}

function problemOf(
  route: RouteName | FileRouteName | undefined,
  { status, headers }: Response,
  { error, ...others }: { error?: Record<string, unknown> },
): string | undefined {
  const { code, message, requestId, ...more } = error ?? {};
  if (typeof code !== 'string' || !isErrorCode(code)) return 'returned no documented code';
  const declared = route ? errorCodesOf(route) : UNMATCHED_ERRORS;
  if (!declared.includes(code)) return `returned ${code}, which it does not declare`;
  if (status !== ERROR_CODES[code].status) return `returned ${code} with another status`;
  if (typeof message !== 'string' || message === '') return 'returned no message';
  if (requestId !== headers.get(REQUEST_ID_HEADER)) return 'returned another request id';
  // Only readiness returns more than the error: which checks failed.
  const isFailing = route === 'ready' && Object.keys(others).sort().join() === 'checks,status';
  if (Object.keys(more).length > 0 || (Object.keys(others).length > 0 && !isFailing))
    return 'returned other fields';
  if (headers.has('retry-after') ? !(Number(headers.get('retry-after')) >= 1) : code === 'RATE_LIMITED')
    return 'returned no time after which to retry';
  return undefined;
}

const recorded = new Set<string>();

function record(file: string, refusal: string): void {
  // Outside of a test, the refusal may not be expected.
  if (!expect.getState().currentTestName || recorded.has(refusal)) return;
  recorded.add(refusal);
  appendFileSync(file, `${refusal}\n`);
}
