/** Reads and changes responses on their way from the service to the client. */
import type { RouteName } from '@service/contract';
import { routeOf } from '../../routes.ts';
import type { Tamper } from '../hostile-mode.ts';

/** A JSON object. */
export type Json = Record<string, unknown>;

/** A request, and a function that forwards it to the real service. */
export interface Exchange {
  readonly request: Request;
  readonly forward: Parameters<Tamper>[1];
}

/** Returns whether a request is for one of some routes. */
export function isFor(request: Request, names: readonly RouteName[]): boolean {
  const name = routeOf(request);
  return name !== undefined && names.includes(name);
}

/** Returns a response with another body and the same status and headers. */
export function withBody(response: Response, body: BodyInit | null): Response {
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  headers.delete('content-encoding');
  return new Response(body, { status: response.status, headers });
}

/** Returns an error response of the contract's form. */
export function refusal(code: string, status: number, headers: Record<string, string> = {}): Response {
  const error = { code, message: code, requestId: '00000000-0000-4000-8000-000000000000' };
  return Response.json({ error }, { status, headers });
}

/** Reads the JSON of a response, which can still be returned. */
export async function jsonOf(response: Response): Promise<Json> {
  return (await response.clone().json()) as Json;
}

/** Changes the JSON of the successful responses of some routes. */
export function editJson(
  names: readonly RouteName[],
  edit: (json: Json, exchange: Exchange) => Json | Promise<Json>,
): Tamper {
  return async (request, forward) => {
    if (!isFor(request, names)) return forward(request);
    const response = await forward(request.clone());
    if (!response.ok) return response;
    const json = await jsonOf(response);
    const edited = await edit(json, { request, forward });
    return edited === json ? response : withBody(response, JSON.stringify(edited));
  };
}

/** Returns an edit that sets some fields. */
export const set =
  (fields: Json) =>
  (json: Json): Json => ({ ...json, ...fields });

/** Returns an edit that removes a field. */
export const without =
  (field: string) =>
  ({ [field]: _, ...rest }: Json): Json =>
    rest;

/** Sends another request to the real service, with the caller's cookie. */
export async function askService(
  { request, forward }: Exchange,
  path: string,
  body?: unknown,
): Promise<Json> {
  const headers = new Headers(request.headers);
  headers.set('content-type', 'application/json');
  const own = new Request(new URL(path, request.url), {
    method: body === undefined ? 'GET' : 'POST',
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await (await forward(own)).json()) as Json;
}
