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
import type { Link, MediaType, OpenApiDocument, Operation, RequestBody, ResponseObject } from './types.ts';

/** A recorded request and its response, per route. */
export type Examples = Partial<Record<RouteName, { request?: unknown; response: unknown }>>;

/** Builds the document of a site. It contains no secrets: the origin is the only setting in it. */
export function openApiDocument(origin: string): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {};
  for (const [name, route] of Object.entries(ROUTES) as [RouteName, Route][]) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(name, route) };
  }
  for (const name of Object.keys(FILE_ROUTES) as FileRouteName[]) {
    paths[FILE_ROUTES[name].path] = { get: fileOperation(name) };
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

function operationOf(name: RouteName, route: Route): Operation {
  return {
    ...introduced(name),
    ...(route.request ? { requestBody: requestBodyOf(name, route.request) } : {}),
    responses: { 200: answerOf(name, route), ...refusalsOf(name) },
  };
}

function introduced(name: RouteName | FileRouteName) {
  const { tag, summary, description } = TEXTS[name];
  return { operationId: name, tags: [tag] as [string], summary, description, ...requirementsOf(name) };
}

function requestBodyOf(name: RouteName, schema: NonNullable<Route['request']>): RequestBody {
  const { request } = (examples as Examples)[name] ?? {};
  return {
    required: name !== 'logout',
    description: `JSON in UTF-8, at most ${MAX_BODY_BYTES} bytes.`,
    content: { 'application/json': { schema: refOf(schema), ...exampleOf(request) } },
    'x-error-code': 'INVALID_REQUEST',
    'x-max-bytes': MAX_BODY_BYTES,
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

function exampleOf(value: unknown): Pick<MediaType, 'examples'> {
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

function fileOperation(name: FileRouteName): Operation {
  const isText = FILE_ROUTES[name].types.some((type) => type.startsWith('text/'));
  const schema = isText ? { type: 'string' } : name === 'openApi' ? { type: 'object' } : {};
  return {
    ...introduced(name),
    responses: {
      200: {
        description: 'The file.',
        headers: EVERY_ANSWER,
        content: Object.fromEntries(FILE_ROUTES[name].types.map((type) => [type, { schema }])),
      },
      ...refusalsOf(name),
    },
  };
}

/** What the service sends to the receiver of events. */
const WEBHOOKS: OpenApiDocument['webhooks'] = {
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
