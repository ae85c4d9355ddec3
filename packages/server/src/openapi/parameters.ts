/** The parts of a request besides its body: headers, cookie, path and query. */
import {
  type Access,
  FILE_ROUTES,
  type FileRouteName,
  hexField,
  IDEMPOTENCY_KEY_HEADER,
  IDEMPOTENCY_KEY_PATTERN,
  idField,
  ROUTES,
  type Route,
  type RouteName,
} from '@service/contract';
import { WEBHOOK_HEADERS } from '@service/contract/verifier';
import { cookieOf } from '../auth/session.ts';
import { queryParameters, refOf } from './components.ts';
import { PARAMETERS } from './texts.ts';
import type { Parameter, Reference } from './types.ts';

/** Returns the headers that several operations share, by name of the component. */
export function sharedParameters(): Record<string, Parameter> {
  // Origin is not among them: a browser sets it, and a page cannot. The introduction explains it.
  const header = { in: 'header', required: true } as const;
  return {
    IdempotencyKey: {
      ...header,
      name: IDEMPOTENCY_KEY_HEADER,
      description:
        'Identifies the request, so that a retry does not prepare a second operation. Keys are per wallet.',
      schema: { type: 'string', pattern: IDEMPOTENCY_KEY_PATTERN.source, minLength: 8, maxLength: 100 },
      example: 'rule-set-2026-0001',
      'x-error-code': 'IDEMPOTENCY_KEY_REQUIRED',
    },
    WebhookId: {
      ...header,
      name: WEBHOOK_HEADERS.id,
      description: 'Id of the message. A retry has the same id.',
      schema: { type: 'string', minLength: 1, maxLength: 100 },
      example: 'msg_2Zk0f7',
      'x-error-code': 'AUTHENTICATION_REQUIRED',
    },
    WebhookTimestamp: {
      ...header,
      name: WEBHOOK_HEADERS.timestamp,
      description:
        'Time at which the message was sent, in Unix seconds. It must be within five minutes of the service’s clock.',
      schema: { type: 'integer', minimum: 0 },
      example: 1_768_478_400,
      'x-error-code': 'AUTHENTICATION_REQUIRED',
    },
  };
}

/** Returns the ways to authenticate requests. `x-error-code` is the error code for a missing or wrong credential. */
export function securitySchemes(origin: string) {
  return {
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: cookieOf(origin).name,
      description: 'Opaque and HttpOnly. It expires 12 hours after sign-in.',
      'x-error-code': 'AUTHENTICATION_REQUIRED',
    },
    webhookSignature: {
      type: 'apiKey',
      in: 'header',
      name: WEBHOOK_HEADERS.signature,
      description: '`v1,` and the base64 of the HMAC-SHA256, as in Standard Webhooks.',
      'x-error-code': 'AUTHENTICATION_REQUIRED',
    },
  };
}

interface Requirements {
  parameters: (Parameter | Reference)[];
  security: Record<string, []>[];
}

/** Returns the requirements of a route. */
export function requirementsOf(name: RouteName | FileRouteName): Requirements {
  const { path, access, preparing, query }: Pick<Route, 'path'> & Partial<Route> = {
    ...ROUTES,
    ...FILE_ROUTES,
  }[name];
  const shared = (parameter: string) => ({ $ref: `#/components/parameters/${parameter}` });
  const queries = query ? queryParameters(query) : [];
  return {
    parameters: [
      ...pathParameters(path),
      ...queries.map(({ name: field, ...rest }) => parameter(field, { in: 'query', ...rest })),
      ...(preparing ? [shared('IdempotencyKey')] : []),
      ...(access === 'hmac' ? [shared('WebhookId'), shared('WebhookTimestamp')] : []),
    ],
    security: securityOf(name, access),
  };
}

function securityOf(name: RouteName | FileRouteName, access: Access | undefined): Requirements['security'] {
  if (access === 'hmac') return [{ webhookSignature: [] }];
  if (access === 'session') return [{ session: [] }];
  // For these two, the session is optional.
  return name === 'session' || name === 'logout' ? [{ session: [] }, {}] : [];
}

function pathParameters(path: string): Parameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) =>
    parameter(name, {
      in: 'path',
      required: true,
      schema: name === 'id' ? refOf(idField) : name === 'digest' ? refOf(hexField) : { type: 'string' },
    }),
  );
}

function parameter(name: string, rest: Pick<Parameter, 'in' | 'required' | 'schema'>): Parameter {
  return { name, ...rest, description: PARAMETERS[name] ?? '' };
}
