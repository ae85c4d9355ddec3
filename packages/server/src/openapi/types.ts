/** The parts of an OpenAPI 3.1 document that this service writes. */

/** A schema of JSON Schema 2020-12, with the keywords that are used here. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  format?: string;
  pattern?: string;
  contentEncoding?: string;
  const?: unknown;
  enum?: unknown[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  oneOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  allOf?: JsonSchema[];
  not?: JsonSchema;
  default?: unknown;
  discriminator?: { propertyName: string; mapping?: Record<string, string> };
}

/** A reference to a component. */
export interface Reference {
  $ref: string;
}

/** A body in one media type. */
export interface MediaType {
  schema: JsonSchema;
  examples?: Record<string, { summary?: string; value: unknown } | Reference>;
}

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
  content: Record<string, MediaType>;
  links?: Record<string, Link>;
}

/** A request body. `x-error-code` is the error code for a malformed body. */
export interface RequestBody {
  required: boolean;
  description: string;
  content: Record<string, MediaType>;
  'x-error-code': string;
  'x-max-bytes': number;
}

/** One endpoint. */
export interface Operation {
  operationId: string;
  tags: [string];
  summary: string;
  description: string;
  security: Record<string, []>[];
  parameters: (Parameter | Reference)[];
  requestBody?: RequestBody;
  responses: Record<string, ResponseObject>;
}

/** A way to authenticate. `x-error-code` is the error code for a missing or wrong credential. */
export interface SecurityScheme {
  type: 'apiKey';
  in: 'cookie' | 'header';
  name: string;
  description: string;
  'x-error-code': string;
}

/** A request that the service sends. */
export type Webhook = Pick<Operation, 'operationId' | 'tags' | 'summary' | 'description' | 'security'> & {
  requestBody: Omit<RequestBody, `x-${string}`>;
  responses: Record<string, Pick<ResponseObject, 'description'>>;
};

/** The document. */
export interface OpenApiDocument {
  openapi: '3.1.0';
  info: {
    title: string;
    version: string;
    description: string;
    license: { name: string; identifier: string };
  };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Partial<Record<'get' | 'post', Operation>>>;
  webhooks: Record<string, { post: Webhook }>;
  components: {
    schemas: Record<string, JsonSchema>;
    parameters: Record<string, Parameter>;
    headers: Record<string, Header>;
    examples: Record<string, { summary: string; value: unknown }>;
    securitySchemes: Record<string, SecurityScheme>;
  };
}
