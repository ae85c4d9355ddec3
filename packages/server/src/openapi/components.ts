/** The schemas of the document, made from those that the routes check requests and answers with. */
import { ROUTES, type Route, type RouteName } from '@service/contract';
import * as z from 'zod/mini';
import { ANSWERS } from './answers.ts';
import type { Component, FieldText } from './component.ts';
import { RECORDS } from './records.ts';
import { REQUESTS } from './requests.ts';
import type { JsonSchema, Reference } from './types.ts';
import { VALUES } from './values.ts';

const COMPONENTS: Record<string, Component> = { ...VALUES, ...RECORDS, ...REQUESTS, ...ANSWERS };
const pathOf = (name: string) => `#/components/schemas/${name}`;

/** Every named schema as JSON Schema 2020-12, in the order of the modules beside. */
export function componentSchemas(): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, { schema }] of Object.entries(COMPONENTS)) registry.add(schema, { id });
  // What is on the wire is the input side of the codecs. An address is checked by code, so zod cannot tell what it is.
  const { schemas } = z.toJSONSchema(registry, { io: 'input', unrepresentable: 'any', uri: pathOf });
  return Object.fromEntries(
    Object.entries(COMPONENTS).map(([id, component]) => [
      id,
      described(schemas[id] as JsonSchema, component),
    ]),
  );
}

function described(
  converted: JsonSchema & { $schema?: string; $id?: string },
  component: Component,
): JsonSchema {
  const { $schema, $id, ...schema } = tidy(converted) as typeof converted;
  const { description, keywords, fields } = component;
  const properties = Object.entries(schema.properties ?? {}).map(([field, property]) => {
    const text: FieldText | undefined = fields[field];
    return [field, { ...property, ...(typeof text === 'string' ? { description: text } : text) }];
  });
  return {
    ...schema,
    ...(schema.properties ? { properties: Object.fromEntries(properties) } : {}),
    ...keywords,
    description,
  };
}

/** Without the bounds of safe integers, which zod writes at every integer and nobody needs to read. */
function tidy(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(tidy);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).flatMap(([key, value]) =>
      (key === 'minimum' || key === 'maximum') && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER
        ? []
        : [[key, tidy(value)]],
    ),
  );
}

/** A reference to a named schema. */
export function schemaRef(name: keyof typeof VALUES | keyof typeof ANSWERS): Reference {
  return { $ref: pathOf(name) };
}

/**
 * The reference to a schema of the contract.
 *
 * @throws RangeError when the document has no name for it.
 */
export function refOf(schema: z.ZodMiniType): Reference {
  const found = Object.entries(COMPONENTS).find(([, component]) => component.schema === schema);
  if (!found) throw new RangeError('a schema of a route has no name in the OpenAPI document: give it one');
  return { $ref: pathOf(found[0]) };
}

/** The parameters of a route's query, each as its JSON Schema. */
export function querySchemas(name: RouteName): Record<string, JsonSchema> {
  const { query }: Route = ROUTES[name];
  if (!query) return {};
  const { properties = {} } = z.toJSONSchema(query, { io: 'input' }) as JsonSchema;
  return properties;
}
