/** Reading and rewriting answers on their way from the service to the client. */
import { ROUTES, type RouteName } from '@service/contract';
import type { Liar } from '../tampering/hostile-mode.ts';

/** A JSON object, as far as lies look into it. */
export type Json = Record<string, unknown>;

/** Whether a request is of one of these endpoints. */
export function isOf(request: Request, names: readonly RouteName[]): boolean {
  const { pathname } = new URL(request.url);
  return names.some((name) => {
    const { method, path } = ROUTES[name];
    return request.method === method && new RegExp(`^${path.replace('{id}', '[^/]+')}$`).test(pathname);
  });
}

/** The endpoints that prepare operations. */
export const PREPARING: readonly RouteName[] = ['createRuleSet', 'bindMint', 'prove', 'issue', 'transfer'];

/** An answer with another body and the same status and headers. */
export function withBody(response: Response, body: BodyInit | null): Response {
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  headers.delete('content-encoding');
  return new Response(body, { status: response.status, headers });
}

/** A JSON answer as the service would give it. */
export function jsonAnswer(value: unknown, status = 200): Response {
  return new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json' } });
}

/** A refusal as the contract has it. */
export function refusal(code: string, status: number, headers: Record<string, string> = {}): Response {
  const response = jsonAnswer(
    { error: { code, message: code, requestId: '00000000-0000-4000-8000-000000000000' } },
    status,
  );
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

/** The JSON of an answer, which can still be passed on. */
export async function jsonOf(response: Response): Promise<Json> {
  return (await response.clone().json()) as Json;
}

/** What an edit knows beside the answer. */
export interface Asked {
  readonly request: Request;
  readonly ask: (request: Request) => Promise<Response>;
}

/** A liar that rewrites the JSON of the successes of some endpoints. */
export function rewriting(
  names: readonly RouteName[],
  edit: (answer: Json, asked: Asked) => Json | Promise<Json>,
): Liar {
  return async (request, ask) => {
    if (!isOf(request, names)) return ask(request);
    const response = await ask(request.clone());
    if (!response.ok) return response;
    const told = await jsonOf(response);
    const edited = await edit(told, { request, ask });
    return edited === told ? response : withBody(response, JSON.stringify(edited));
  };
}

/** Asks the service behind for something of the liar's own, with the caller's cookie. */
export async function askToo({ request, ask }: Asked, path: string, body?: unknown): Promise<Json> {
  const headers = new Headers(request.headers);
  headers.set('content-type', 'application/json');
  const own = new Request(new URL(path, request.url), {
    method: body === undefined ? 'GET' : 'POST',
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await (await ask(own)).json()) as Json;
}
