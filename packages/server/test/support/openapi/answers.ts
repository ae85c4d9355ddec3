/** Checks real responses against the document. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApiDocument, Operation } from '../../../src/openapi/document.ts';
import type { Header, JsonSchema, Reference } from '../../../src/openapi/types.ts';

/** A received response. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly type: string;
  /** The parsed JSON, or the text of another media type. */
  readonly body: unknown;
}

/**
 * Creates the checks of a document. Clients must ignore unknown fields, but the service must not send any, so every record
 * of a response is closed.
 */
export function checksOf(document: OpenApiDocument) {
  const schemas = Object.fromEntries(
    Object.entries(document.components.schemas).map(([name, schema]) => [name, closed(schema) as JsonSchema]),
  );
  const requests = compiler(document);
  const answers = compiler({ ...document, components: { ...document.components, schemas } }, closed);

  const headerProblems = (name: string, { required, schema }: Header, text: string | null) => {
    if (text === null) return required ? [`header ${name} is missing`] : [];
    const value = schema.type === 'integer' ? Number(text) : text;
    return answers(schema)(value) ? [] : [`header ${name} is ${text}`];
  };
  /** Returns whether a value fits a schema of the document. */
  const fits = (schema: JsonSchema, value: unknown): boolean => requests(schema)(value) === true;
  return {
    fits,
    /** Returns whether an operation accepts a body. */
    accepts: ({ requestBody }: Operation, body: unknown): boolean =>
      fits(requestBody!.content['application/json']!.schema, body),
    /** Returns the differences between a response and the document; empty if it conforms. */
    problemsOf({ responses }: Operation, { status, headers, type, body }: Answer): string[] {
      const declared = responses[status];
      if (!declared) return [`status ${status} is not declared: ${JSON.stringify(body)}`];
      const media = declared.content[type];
      if (!media) return [`media type ${type} is not declared`];
      const problems = Object.entries(declared.headers).flatMap(([name, header]) =>
        headerProblems(name, resolved(document, header), headers.get(name)),
      );
      const validate = answers(media.schema);
      if (validate(body)) return problems;
      return [...problems, ...(validate.errors ?? []).map((error) => JSON.stringify(error))];
    },
  };
}

/** Returns the target of a reference, or the value itself. */
export function resolved<T extends object>(document: OpenApiDocument, value: T | Reference): T {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T;
  let found: unknown = document;
  for (const part of value.$ref.split('/').slice(1)) found = (found as Record<string, unknown>)[part];
  return found as T;
}

function compiler({ components }: OpenApiDocument, change = (schema: unknown) => schema) {
  // Not strict, because the document has keywords of OpenAPI that JSON Schema does not know.
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'document', components });
  const compiled = new Map<JsonSchema, ReturnType<typeof ajv.compile>>();
  return (schema: JsonSchema) => {
    const validate = compiled.get(schema) ?? ajv.compile(absolute(change(schema)) as object);
    compiled.set(schema, validate);
    return validate;
  };
}

type Json = Record<string, unknown>;

/** Makes references name the document, for a schema outside of its components. */
const absolute = (node: unknown) =>
  mapRecords(node, (copy) => ('$ref' in copy ? { ...copy, $ref: `document${copy.$ref}` } : copy));

/** Closes every record that may have more fields, but no part of an `allOf`, because another part has its other fields. */
const closed = (node: unknown) =>
  mapRecords(node, (copy) => {
    if (Array.isArray(copy.allOf))
      return { ...copy, allOf: copy.allOf.map(({ additionalProperties: _, ...part }: Json) => part) };
    const isOpenRecord = copy.type === 'object' && copy.properties && !('additionalProperties' in copy);
    return isOpenRecord ? { ...copy, additionalProperties: false } : copy;
  });

/** Copies a value, and changes each of its records. */
function mapRecords(node: unknown, change: (record: Json) => Json): unknown {
  if (Array.isArray(node)) return node.map((each) => mapRecords(each, change));
  if (typeof node !== 'object' || node === null) return node;
  return change(
    Object.fromEntries(Object.entries(node).map(([key, value]) => [key, mapRecords(value, change)])),
  );
}
