/** The schemas of the document, converted from the schemas that check requests and responses. */
import { RULES_PAGE } from '@service/contract';
import * as z from 'zod/mini';
import docstrings from './docstrings.json' with { type: 'json' };
import { discriminatorOf, KEYWORDS, NAMED, type NamedSchema } from './named-schemas.ts';
import type { JsonSchema, Reference } from './types.ts';

const pathOf = (name: string) => `#/components/schemas/${name}`;

/** Returns every named schema as JSON Schema 2020-12. */
export function componentSchemas(): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, { schema }] of NAMED) registry.add(schema, { id });
  // The wire has the input side of the codecs. `any`, because code checks addresses and zod cannot represent that.
  const options = { io: 'input', unrepresentable: 'any', uri: pathOf, override: removeSafeBounds } as const;
  const { schemas } = z.toJSONSchema(registry, options);
  const components = Object.fromEntries(
    [...NAMED].map(([id, each]) => [id, described(schemas[id] as JsonSchema, each)]),
  );
  for (const [id, { schema }] of NAMED) {
    const propertyName = discriminatorOf(schema);
    const component = components[id]!;
    if (propertyName === undefined) continue;
    const mapping = mappingOf(propertyName, component.oneOf ?? [], components);
    component.discriminator = { propertyName, mapping };
  }
  return components;
}

/** Returns the variant of each value. Without it, generators take the names of the schemas as the values. */
function mappingOf(
  property: string,
  variants: readonly JsonSchema[],
  components: Record<string, JsonSchema>,
): Record<string, string> {
  const named = variants.map(({ $ref = '' }) => {
    const value = components[$ref.split('/').at(-1) ?? '']?.properties?.[property]?.const;
    if (typeof value !== 'string') throw new RangeError(`${$ref} has no constant ${property}.`);
    return [value, $ref] as const;
  });
  return Object.fromEntries(named);
}

function described(converted: JsonSchema, { schema: named, place }: NamedSchema): JsonSchema {
  const { $schema, $id, allOf, ...schema } = converted;
  const keywords = KEYWORDS.get(named);
  // Generators make an intersection of unknown types of several patterns, and one that is all of them is not portable.
  if (allOf && !keywords?.pattern) throw new RangeError(`${place} needs one pattern. See named-schemas.ts.`);
  const texts: Record<string, string> = docstrings;
  const properties = Object.entries(schema.properties ?? {}).map(([field, property]) => [
    field,
    { ...property, description: texts[`${place}.${field}`] ?? '' },
  ]);
  return {
    ...schema,
    ...(schema.properties ? { properties: Object.fromEntries(properties) } : {}),
    ...keywords,
    // A variant of a union has no docstring. Use that of its `state` field.
    description: texts[place] ?? texts[`${place}.state`] ?? '',
  };
}

/** Removes the bounds of safe integers, which zod adds to every integer. */
function removeSafeBounds({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  for (const bound of ['minimum', 'maximum'] as const)
    if (Math.abs(Number(jsonSchema[bound])) === Number.MAX_SAFE_INTEGER) delete jsonSchema[bound];
}

/**
 * Returns a reference to a schema of the contract.
 *
 * @throws RangeError if the document has no name for the schema.
 */
export function refOf(schema: z.core.$ZodType): Reference {
  for (const [name, each] of NAMED) if (each.schema === schema) return { $ref: pathOf(name) };
  throw new RangeError('A schema of a route has no name in the OpenAPI document. See named-schemas.ts.');
}

/** A number in the document, although the text of a query is checked with a pattern. */
const LIMIT: JsonSchema = {
  type: 'integer',
  minimum: 1,
  maximum: RULES_PAGE.max,
  default: RULES_PAGE.default,
};

/** Returns each parameter of a query: its name, its JSON Schema, and whether a request must have it. */
export function queryParameters(query: z.core.$ZodType) {
  const { shape } = query as z.ZodMiniObject;
  const options = { io: 'input', unrepresentable: 'any' } as const;
  const { properties = {}, required = [] } = z.toJSONSchema(query, options) as JsonSchema;
  const named = new Set<z.core.$ZodType>([...NAMED.values()].map(({ schema }) => schema));
  const schemaOf = (name: string): JsonSchema =>
    name === 'limit' ? LIMIT : named.has(shape[name]!) ? refOf(shape[name]!) : properties[name]!;
  return Object.keys(properties).map((name) => ({
    name,
    schema: schemaOf(name),
    required: required.includes(name),
  }));
}
