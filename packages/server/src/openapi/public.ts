/** The OpenAPI document, for the pages that are made from it. */
export { openApiDocument } from './document.ts';
export type { JsonSchema, OpenApiDocument, Operation } from './types.ts';
