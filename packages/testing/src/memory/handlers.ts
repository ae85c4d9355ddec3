/** The handlers of the service in memory, the calls that they get, and how they refuse. */
import { ERROR_CODES, type ErrorCode, type RouteName } from '@service/contract';
import type { Address } from '@solana/kit';
import * as z from 'zod/mini';

/** A refusal with a code of SPEC.md section 7. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  constructor(code: ErrorCode, message: string = ERROR_CODES[code].meaning) {
    super(message);
    this.code = code;
  }
}

/** A decoded request. */
export interface Call {
  /** The decoded body. Each handler knows the type that its route takes. */
  readonly body: never;
  readonly query: Record<string, string>;
  readonly id: string;
  readonly wallet: Address | null;
  /** The idempotency key, or an empty string. */
  readonly key: string;
  readonly headers: Headers;
}

/** The decoded body of a response, or the body and a cookie. */
export type Result = object | { readonly result: object; readonly cookie: string };

/** Handlers by route. */
export type Handlers = Partial<Record<RouteName, (call: Call) => Promise<Result> | Result>>;

/** Reads the JSON of a request. An empty body is an empty object. Throws {@link Refusal} INVALID_REQUEST. */
export async function readJson(request: Request): Promise<unknown> {
  const text = await request.text();
  if (text === '') return {};
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? ''))
    throw new Refusal('INVALID_REQUEST');
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('INVALID_REQUEST', 'The body is not JSON in UTF-8. Send valid JSON.');
  }
}

/** Decodes a value by its schema. Throws {@link Refusal} INVALID_REQUEST with the fields. */
export function decode(schema: z.ZodMiniType, value: unknown): unknown {
  const result = z.safeDecode(schema, value as never);
  if (result.success) return result.data;
  const issues = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Refusal('INVALID_REQUEST', issues.join('; '));
}
