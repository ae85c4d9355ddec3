/** Watches what a service under test refuses: every refusal must be documented to the letter, and is noted with its test. */
import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  ERROR_CODES,
  type ErrorCode,
  errorCodesOf,
  FILE_ROUTES,
  type FileRouteName,
  isErrorCode,
  REQUEST_ID_HEADER,
  ROUTES,
  type RouteName,
} from '@service/contract';
import type { CreatedService } from '@service/server';
import { expect } from 'vitest';

/** A code that a route answered in a test. */
export interface ReachedRefusal {
  readonly route: RouteName | FileRouteName;
  readonly code: ErrorCode;
  /** The test's file from the root of the repository, and its name. */
  readonly file: string;
  readonly test: string;
}

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

const endpoints = [
  ...Object.entries(ROUTES).map(([name, { method, path }]) => ({ name, method, path })),
  ...Object.entries(FILE_ROUTES).map(([name, { path }]) => ({ name, method: 'GET', path })),
].map(({ name, method, path }) => ({
  name: name as RouteName | FileRouteName,
  method,
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

/**
 * Holds every refusal of the app against the contract: a code that the route declares, its status, and the error body
 * with the id of the request and nothing more. One that differs ends the request with an error, and so the test. When
 * REFUSALS names a file, each is noted there as one line of JSON, a ReachedRefusal.
 */
export function watchRefusals(app: CreatedService['app']): void {
  const answer = app.fetch;
  app.fetch = async (request, ...rest) => {
    const response = await answer(request, ...rest);
    if (response.status >= 400) await watch(request, response.clone());
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
  if (route && process.env.REFUSALS) note(process.env.REFUSALS, route, body.error.code);
}

function problemOf(
  route: RouteName | FileRouteName | undefined,
  { status, headers }: Response,
  { error, ...beside }: { error?: Record<string, unknown> },
): string | undefined {
  const { code, message, requestId, ...more } = error ?? {};
  if (typeof code !== 'string' || !isErrorCode(code)) return 'answers no documented code';
  if (route && !errorCodesOf(route).includes(code)) return `answers ${code}, which it does not declare`;
  if (status !== ERROR_CODES[code].status) return `answers ${code} with another status`;
  if (typeof message !== 'string' || message === '') return 'answers without a message';
  if (requestId !== headers.get(REQUEST_ID_HEADER)) return 'answers with another request id';
  // Readiness alone says something beside the error: what fails.
  const isFailing = route === 'ready' && Object.keys(beside).sort().join() === 'checks,status';
  if (Object.keys(more).length > 0 || (Object.keys(beside).length > 0 && !isFailing)) return 'answers more';
  if (headers.has('retry-after') ? !(Number(headers.get('retry-after')) >= 1) : code === 'RATE_LIMITED')
    return 'answers without when to retry';
  return undefined;
}

const noted = new Set<string>();

function note(log: string, route: RouteName | FileRouteName, code: ErrorCode): void {
  const { testPath, currentTestName } = expect.getState();
  // Outside of a test nothing says that it was expected.
  if (!testPath || !currentTestName) return;
  const reached: ReachedRefusal = { route, code, file: relative(ROOT, testPath), test: currentTestName };
  const line = JSON.stringify(reached);
  if (noted.has(line)) return;
  noted.add(line);
  appendFileSync(log, `${line}\n`);
}
