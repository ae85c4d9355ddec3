/** A request to the service in memory, as its answers see it, and how it is refused. */
import { ERROR_CODES, type ErrorCode, type RouteName } from '@service/contract';
import type { Address } from '@solana/kit';
import * as z from 'zod/mini';

/** A refusal by a code of SPEC.md section 7. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  constructor(code: ErrorCode, message: string = ERROR_CODES[code].meaning) {
    super(message);
    this.code = code;
  }
}

/** A request that was read. */
export interface Call {
  /** The decoded body; each answer knows what its route takes. */
  readonly body: never;
  readonly query: Record<string, string>;
  readonly id: string;
  readonly wallet: Address | null;
  /** The idempotency key, or an empty string. */
  readonly key: string;
  readonly headers: Headers;
}

/** The decoded body of an answer, with a cookie to set where there is one. */
export type Answer = object | { readonly answer: object; readonly cookie: string };

/** What answers which endpoint. */
export type Answers = Partial<Record<RouteName, (call: Call) => Promise<Answer> | Answer>>;

/** The JSON of a request; an empty body is an empty object. Throws {@link Refusal} INVALID_REQUEST. */
export async function jsonOf(request: Request): Promise<unknown> {
  const text = await request.text();
  if (text === '') return {};
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? ''))
    throw new Refusal('INVALID_REQUEST');
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('INVALID_REQUEST', 'The body is not JSON in UTF-8.');
  }
}

/** What a schema makes of a value. Throws {@link Refusal} INVALID_REQUEST with the fields. */
export function decoded(schema: z.ZodMiniType, value: unknown): unknown {
  const result = z.safeDecode(schema, value as never);
  if (result.success) return result.data;
  throw new Refusal(
    'INVALID_REQUEST',
    result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '),
  );
}
