/** The OpenAPI 3.1 document of the service, built from the routes, schemas and codes that the service uses. */
import {
  eventRecord,
  FILE_ROUTES,
  type FileRouteName,
  MAX_BODY_BYTES,
  ROUTES,
  type Route,
  type RouteName,
} from '@service/contract';
import { componentSchemas, refOf } from './components.ts';
import examples from './examples.json' with { type: 'json' };
import { requirementsOf, securitySchemes, sharedParameters } from './parameters.ts';
import { EVERY_ANSWER, HEADERS, refusalExamples, refusalsOf } from './refusals.ts';
import { INTRODUCTION, TAGS, TEXTS } from './texts.ts';
import type { JsonSchema, Link, ResponseObject } from './types.ts';

/** A recorded request and its response, per route. */
export type Examples = Partial<Record<RouteName, { request?: unknown; response: unknown }>>;

/** The document. */
export type OpenApiDocument = ReturnType<typeof openApiDocument>;

/** One endpoint. */
export type Operation = ReturnType<typeof operationOf>;

/** Builds the document of a site. It contains no secrets: the origin is the only setting in it. */
export function openApiDocument(origin: string) {
  const paths: Record<string, Partial<Record<'get' | 'post', Operation>>> = {};
  for (const [name, route] of Object.entries(ROUTES) as [RouteName, Route][]) {
    const operation = operationOf(name, answerOf(name, route), route.request);
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation };
  }
  for (const name of Object.keys(FILE_ROUTES) as FileRouteName[]) {
    paths[FILE_ROUTES[name].path] = { get: operationOf(name, fileAnswerOf(name)) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Rule-Set and Pass Service',
      version: '1',
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: origin }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: WEBHOOKS,
    components: {
      schemas: componentSchemas(),
      parameters: sharedParameters(),
      headers: HEADERS,
      examples: refusalExamples(),
      securitySchemes: securitySchemes(origin),
    },
  };
}

/** Returns an endpoint. `x-error-code` is the error code for a malformed body. */
function operationOf(
  name: RouteName | FileRouteName,
  answer: ResponseObject,
  request?: NonNullable<Route['request']>,
) {
  const { tag, summary, description } = TEXTS[name];
  const responses: Record<string, ResponseObject> = { 200: answer, ...refusalsOf(name) };
  const requestBody = request && {
    required: name !== 'logout',
    description: `JSON in UTF-8, at most ${MAX_BODY_BYTES} bytes.`,
    content: {
      'application/json': {
        schema: refOf(request),
        ...exampleOf((examples as Examples)[name as RouteName]?.request),
      },
    },
    'x-error-code': 'INVALID_REQUEST',
    'x-max-bytes': MAX_BODY_BYTES,
  };
  return {
    operationId: name,
    tags: [tag],
    summary,
    description,
    ...requirementsOf(name),
    ...(requestBody ? { requestBody } : {}),
    responses,
  };
}

function answerOf(name: RouteName, route: Route): ResponseObject {
  const links = LINKS[name] ?? (route.preparing ? FROM_DRAFT : undefined);
  const setsCookie = name === 'verify' || name === 'logout';
  return {
    description: setsCookie ? 'Success. The response sets or deletes the cookie.' : 'Success.',
    headers: {
      ...EVERY_ANSWER,
      ...(setsCookie
        ? { 'Set-Cookie': { required: true, description: 'The session cookie.', schema: { type: 'string' } } }
        : {}),
    },
    content: {
      'application/json': {
        schema: refOf(route.response),
        ...exampleOf((examples as Examples)[name]?.response),
      },
    },
    ...(links ? { links } : {}),
  };
}

function exampleOf(value: unknown): { examples?: Record<string, object> } {
  return value === undefined ? {} : { examples: { example: { value } } };
}

const FROM_DRAFT: Record<string, Link> = {
  adopt: {
    operationId: 'adopt' satisfies RouteName,
    description: 'Adopt the message that the wallet signed, if the wallet added something.',
    requestBody: { operationId: '$response.body#/operationId' },
  },
  submit: {
    operationId: 'submit' satisfies RouteName,
    description: 'Submit the draft, with the wallet’s signature in its transaction.',
    requestBody: { operationId: '$response.body#/operationId' },
  },
  operation: {
    operationId: 'operation' satisfies RouteName,
    description: 'Get the state of the operation.',
    parameters: { id: '$response.body#/operationId' },
  },
};

const LINKS: Partial<Record<RouteName, Record<string, Link>>> = {
  config: {
    artifact: {
      operationId: 'artifact' satisfies FileRouteName,
      description: 'Download the verifying key, one of the files.',
      parameters: {
        digest: '$response.body#/artifacts/digest',
        name: '$response.body#/artifacts/manifest/files/vkey/name',
      },
    },
  },
  challenge: {
    verify: {
      operationId: 'verify' satisfies RouteName,
      description: 'Answer the challenge with the wallet’s signature over its message.',
      requestBody: { challengeId: '$response.body#/challengeId' },
    },
  },
  verificationSessions: {
    webhook: {
      operationId: 'webhook' satisfies RouteName,
      description: 'The verifier reports the result with the session’s id.',
      requestBody: { data: { sessionId: '$response.body#/sessionId' } },
    },
  },
  adopt: { submit: FROM_DRAFT.submit!, operation: FROM_DRAFT.operation! },
  submit: { operation: FROM_DRAFT.operation! },
};

function fileAnswerOf(name: FileRouteName): ResponseObject {
  const { types } = FILE_ROUTES[name];
  const isText = types.some((type) => type.startsWith('text/'));
  const schema: JsonSchema = isText ? { type: 'string' } : name === 'openApi' ? { type: 'object' } : {};
  return {
    description: 'The file.',
    headers: EVERY_ANSWER,
    content: Object.fromEntries(types.map((type) => [type, { schema }])),
  };
}

/** What the service sends to the receiver of events. */
const WEBHOOKS = {
  event: {
    post: {
      operationId: 'event',
      tags: ['Events'],
      summary: 'An event',
      description:
        'The service posts it to `EVENTS_URL`, signed as Standard Webhooks says, and repeats it until the answer is 2xx.',
      security: [],
      requestBody: {
        required: true,
        description: 'JSON in UTF-8.',
        content: { 'application/json': { schema: refOf(eventRecord) } },
      },
      responses: { '2XX': { description: 'The receiver has the event.' } },
    },
  },
};
