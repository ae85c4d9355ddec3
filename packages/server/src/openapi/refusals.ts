/** Error responses of the document: their body, statuses by code, and headers (SPEC.md sections 7 and 8). */
import {
  ERROR_CODES,
  type ErrorCode,
  errorBody,
  errorCodesOf,
  type FileRouteName,
  failingResponse,
  idField,
  REQUEST_ID_HEADER,
  type RouteName,
} from '@service/contract';
import { RATE_LIMITS } from '../http/rate-limits.ts';
import { refOf } from './components.ts';
import type { Header, JsonSchema, ResponseObject } from './types.ts';

/** Headers of responses, by name of the component. */
export const HEADERS = {
  RequestId: { required: true, description: 'Id of the request.', schema: refOf(idField) },
  RetryAfter: {
    required: true,
    description: 'Seconds after which the request can be retried.',
    schema: { type: 'integer', minimum: 1 },
  },
  MayRetryAfter: {
    required: false,
    description: 'Seconds after which the request can be retried, if known.',
    schema: { type: 'integer', minimum: 1 },
  },
} as const satisfies Record<string, Header>;

/** The header that every response has. */
export const EVERY_ANSWER = { [REQUEST_ID_HEADER]: { $ref: '#/components/headers/RequestId' } };

type Status = (typeof ERROR_CODES)[ErrorCode]['status'];

const STATUS_TEXTS: Record<Status, string> = {
  400: 'The request is malformed or contradicts itself.',
  401: 'No wallet is signed in, or the sender is not authenticated.',
  403: 'The sender is not allowed to do this.',
  404: 'It does not exist, or not for this sender.',
  405: 'The path does not have this method.',
  409: 'The current state does not allow it.',
  413: 'The body is too large.',
  429: rateLimitText(),
  500: 'The service failed.',
  503: 'The service cannot do this at the moment.',
};

function rateLimitText(): string {
  const { address, signIn, wallet, prepare, verification } = RATE_LIMITS;
  return `Too many requests. Limits per minute: ${address.points} for a network address, ${signIn.points} of them to sign in; ${wallet.points} for a wallet, ${prepare.points} of them to prepare and ${verification.points} to start a verification.`;
}

/** Returns the error responses of a route: one per status, each with its possible codes. */
export function refusalsOf(name: RouteName | FileRouteName): Record<string, ResponseObject> {
  const byStatus = new Map<Status, ErrorCode[]>();
  for (const code of errorCodesOf(name)) {
    const { status } = ERROR_CODES[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: STATUS_TEXTS[status],
        headers: { ...EVERY_ANSWER, ...retryHeader(status) },
        content: { 'application/json': { schema: bodyOf(name, status, codes), examples: examplesOf(codes) } },
      },
    ]),
  );
}

function bodyOf(name: RouteName | FileRouteName, status: number, codes: ErrorCode[]): JsonSchema {
  const code: JsonSchema = { type: 'string', enum: codes };
  const detail: JsonSchema = {
    allOf: [refOf(errorBody.shape.error), { type: 'object', properties: { code }, required: ['code'] }],
  };
  const error: JsonSchema = { type: 'object', properties: { error: detail }, required: ['error'] };
  // A failing readiness also names the failed checks. It is the only error response with its own body.
  return name === 'ready' && status === 503 ? { anyOf: [refOf(failingResponse), error] } : error;
}

function retryHeader(status: number) {
  if (status === ERROR_CODES.RATE_LIMITED.status)
    return { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } };
  return status === 503 ? { 'Retry-After': { $ref: '#/components/headers/MayRetryAfter' } } : {};
}

function examplesOf(codes: readonly ErrorCode[]) {
  return Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
}

/** Returns one example per error code. */
export function refusalExamples() {
  const requestId = '5f0c6f3e-6d0a-4a5e-9c39-0c5d8f4f6a11';
  // METHOD_NOT_ALLOWED belongs to no endpoint, so no response names its example.
  const { METHOD_NOT_ALLOWED: _, ...codes } = ERROR_CODES;
  return Object.fromEntries(
    Object.entries(codes).map(([code, { status, meaning }]) => [
      code,
      { summary: `${status} ${code}`, value: { error: { code, message: meaning, requestId } } },
    ]),
  );
}
