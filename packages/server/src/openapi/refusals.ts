/** Refusals in the document: one body, statuses by code, headers (SPEC.md sections 7 and 8). */
import {
  ERROR_CODES,
  type ErrorCode,
  errorCodesOf,
  type FileRouteName,
  REQUEST_ID_HEADER,
  type RouteName,
} from '@service/contract';
import { RATE_LIMITS } from '../http/rate-limits.ts';
import { schemaRef } from './components.ts';
import type { Header, JsonSchema, OpenApiDocument, ResponseObject } from './types.ts';

/** Headers of answers, by the name that responses refer to them. */
export const HEADERS = {
  RequestId: { required: true, description: 'Id of the request.', schema: schemaRef('Id') },
  RetryAfter: {
    required: true,
    description: 'Seconds after which the request may be sent again.',
    schema: { type: 'integer', minimum: 1 },
  },
  MayRetryAfter: {
    required: false,
    description: 'Seconds after which the request may be sent again, where that can be told.',
    schema: { type: 'integer', minimum: 1 },
  },
} as const satisfies Record<string, Header>;

/** The header that every answer has. */
export const EVERY_ANSWER = { [REQUEST_ID_HEADER]: { $ref: '#/components/headers/RequestId' } };

const STATUS_TEXTS: Record<number, string> = {
  400: 'The request is malformed, or cannot be meant.',
  401: 'Nobody is signed in, or the sender is not who it must be.',
  403: 'The sender may not do this.',
  404: 'There is no such thing for this sender.',
  409: 'It cannot be done as things stand.',
  413: 'The body is too large.',
  429: rateLimitText(),
  500: 'The service failed.',
  503: 'It cannot be done at the moment.',
};

function rateLimitText(): string {
  const { address, signIn, wallet, prepare, verification } = RATE_LIMITS;
  return `Too many requests. Allowed per minute: ${address.points} of a network address, ${signIn.points} of them to sign in; ${wallet.points} of a wallet, ${prepare.points} of them to prepare, ${verification.points} to start a verification.`;
}

/** The refusals of a route, one response per status, each with the codes that it can have. */
export function refusalsOf(name: RouteName | FileRouteName): Record<string, ResponseObject> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorCodesOf(name)) {
    const { status } = ERROR_CODES[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: STATUS_TEXTS[status]!,
        headers: { ...EVERY_ANSWER, ...retryHeader(status) },
        content: { 'application/json': { schema: bodyOf(name, status, codes), examples: examplesOf(codes) } },
      },
    ]),
  );
}

function bodyOf(name: RouteName | FileRouteName, status: number, codes: ErrorCode[]): JsonSchema {
  const properties = { error: { type: 'object', properties: { code: { type: 'string', enum: codes } } } };
  const error: JsonSchema = { ...schemaRef('Error'), type: 'object', properties };
  // A failing readiness says beside the error what fails; it is the only refusal with a body of its own.
  return name === 'ready' && status === 503 ? { anyOf: [schemaRef('Failing'), error] } : error;
}

function retryHeader(status: number) {
  if (status === ERROR_CODES.RATE_LIMITED.status)
    return { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } };
  return status === 503 ? { 'Retry-After': { $ref: '#/components/headers/MayRetryAfter' } } : {};
}

function examplesOf(codes: readonly ErrorCode[]) {
  return Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
}

/** One example per code. */
export function refusalExamples(): OpenApiDocument['components']['examples'] {
  const requestId = '5f0c6f3e-6d0a-4a5e-9c39-0c5d8f4f6a11';
  return Object.fromEntries(
    Object.entries(ERROR_CODES).map(([code, { status, meaning }]) => [
      code,
      { summary: `${status} ${code}`, value: { error: { code, message: meaning, requestId } } },
    ]),
  );
}
