/** The parts of an OpenAPI 3.1 document that more than one file builds. A test validates the whole document. */
import type * as z from 'zod/mini';

/** A schema of JSON Schema 2020-12, in the forms that zod writes. */
export interface JsonSchema extends z.core.JSONSchema.JSONSchema {
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  allOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  not?: JsonSchema;
}

/** A reference to a component. */
export type Reference = { $ref: string };

/** A parameter. `x-error-code` is the error code for a missing or wrong value. */
export interface Parameter {
  name: string;
  in: 'header' | 'path' | 'query';
  required: boolean;
  description: string;
  schema: JsonSchema;
  example?: string | number;
  'x-error-code'?: string;
}

/** A header of a response. */
export interface Header {
  required: boolean;
  description: string;
  schema: JsonSchema;
}

/** A link from a response to the next request. */
export interface Link {
  operationId: string;
  description: string;
  parameters?: Record<string, string>;
  requestBody?: Record<string, unknown>;
}

/** A response with one status. */
export interface ResponseObject {
  description: string;
  headers: Record<string, Header | Reference>;
  content: Record<string, { schema: JsonSchema; examples?: Record<string, object> }>;
  links?: Record<string, Link>;
}
