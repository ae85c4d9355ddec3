/** What the document says of an answer, as a check of real ones. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type {
  Header,
  JsonSchema,
  OpenApiDocument,
  Operation,
  Reference,
} from '../../../src/openapi/types.ts';

/** An answer as it came. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly type: string;
  /** The JSON, or the text of what is none. */
  readonly body: unknown;
}

/** Checks of a document. */
export interface Checks {
  /** What an answer has that the document does not say, or lacks that it does; nothing when it conforms. */
  problemsOf(operation: Operation, answer: Answer): string[];
  /** Whether a body is one that the operation takes. */
  takes(operation: Operation, body: unknown): boolean;
  /** Whether a value fits a schema of the document. */
  fits(schema: JsonSchema, value: unknown): boolean;
}

/**
 * Reads a document as checks. Clients are told to ignore fields they do not know, but the service itself must send none:
 * for answers every record is closed.
 */
export function checksOf(document: OpenApiDocument): Checks {
  const schemas = Object.fromEntries(
    Object.entries(document.components.schemas).map(([name, schema]) => [name, closed(schema) as JsonSchema]),
  );
  const requests = compiler(document);
  const answers = compiler({ ...document, components: { ...document.components, schemas } });

  const problemsOf: Checks['problemsOf'] = (operation, answer) => {
    const declared = operation.responses[answer.status];
    if (!declared) return [`status ${answer.status} is not declared: ${JSON.stringify(answer.body)}`];
    const media = declared.content[answer.type];
    if (!media) return [`media type ${answer.type} is not declared`];
    const headers = Object.entries(declared.headers).flatMap(([name, header]) =>
      headerProblems(name, resolved(document, header), answer.headers.get(name)),
    );
    const validate = answers(media.schema);
    if (validate(answer.body)) return headers;
    return [
      ...headers,
      ...(validate.errors ?? []).map((error) => `${error.instancePath} ${describe(error)}`),
    ];
  };
  const headerProblems = (name: string, { required, schema }: Header, text: string | null) => {
    if (text === null) return required ? [`header ${name} is missing`] : [];
    return answers(schema)(schema.type === 'integer' ? Number(text) : text)
      ? []
      : [`header ${name} is ${text}`];
  };
  return {
    problemsOf,
    takes: (operation, body) =>
      requests(operation.requestBody!.content['application/json']!.schema)(body) === true,
    fits: (schema, value) => requests(schema)(value) === true,
  };
}

function describe({ message, params }: { message?: string; params: object }): string {
  return `${message} ${JSON.stringify(params)}`;
}

/** What a reference stands for. */
export function resolved<T extends object>(document: OpenApiDocument, value: T | Reference): T {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T;
  let found: unknown = document;
  for (const part of value.$ref.split('/').slice(1)) found = (found as Record<string, unknown>)[part];
  return found as T;
}

function compiler({ components }: OpenApiDocument) {
  // The document is more than a schema: keywords that JSON Schema does not know are OpenAPI's.
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'document', components });
  const compiled = new Map<JsonSchema, ReturnType<typeof ajv.compile>>();
  return (schema: JsonSchema) => {
    let validate = compiled.get(schema);
    if (!validate) {
      validate = ajv.compile(absolute(schema) as object);
      compiled.set(schema, validate);
    }
    return validate;
  };
}

/** With references that name the document, for a schema that stands outside of its components. */
function absolute(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(absolute);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' ? `document${value}` : absolute(value),
    ]),
  );
}

function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]));
  const isOpenRecord = copy.type === 'object' && copy.properties && !('additionalProperties' in copy);
  return isOpenRecord ? { ...copy, additionalProperties: false } : copy;
}
