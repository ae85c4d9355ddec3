/**
 * The names of the schemas in the document. A schema that the contract exports has the name of its constant, and a record or a
 * variant inside it that of its field or its value after it: `networkResponse.governance` is `NetworkGovernance`.
 */
import * as contract from '@service/contract';
import type * as z from 'zod/mini';
import type { JsonSchema } from './types.ts';

type Schema = z.core.$ZodType;

/** A schema with a name in the document. */
export interface NamedSchema {
  readonly schema: Schema;
  /** The constant of the contract, or the path of a field in it, whose docstring describes the schema. */
  readonly place: string;
}

/**
 * What a pattern can say about a name in each language: no control character and no soft hyphen, and no space at either end.
 * Patterns that name other characters are not portable.
 */
const NAME_PATTERN = String.raw`^[^\x00-\x20\x7f-\xa0\xad](?:[^\x00-\x1f\x7f-\x9f\xad]*[^\x00-\x20\x7f-\xa0\xad])?$`;

/** JSON Schema keywords for checks that schemas make in code. */
export const KEYWORDS: ReadonlyMap<Schema, JsonSchema> = new Map<Schema, JsonSchema>([
  [contract.addressField, { type: 'string', pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$' }],
  [contract.amountField, { not: { const: '0' } }],
  [contract.base64Field, { contentEncoding: 'base64' }],
  [contract.idField, { format: 'uuid' }],
  // JSON Schema counts characters. The schema counts bytes, which are never fewer.
  [contract.nameField, { maxLength: 32, pattern: NAME_PATTERN }],
  [contract.regionCodeField, { enum: contract.REGIONS.map(({ code }) => code) }],
  [contract.statusCodeField, { enum: contract.STATUSES.map(({ code }) => code) }],
  [contract.clauseRequest.shape.regions, { uniqueItems: true }],
  [contract.clauseRequest.shape.statuses, { uniqueItems: true }],
]);

/** Names that browsers, languages or generators use. A schema with such a name keeps the ending of its constant. */
const TAKEN: ReadonlySet<string> = new Set(['Credential', 'Event', 'Index', 'Pass']);

const CONSTANTS = new Map<unknown, string>(Object.entries(contract).map(([name, value]) => [value, name]));

/** All named schemas, by name: those of the routes, the events and the errors. */
export const NAMED: ReadonlyMap<string, NamedSchema> = namedSchemas();

function namedSchemas(): Map<string, NamedSchema> {
  const named = new Map<string, NamedSchema>();
  const seen = new Set<Schema>();
  const visit = (schema: Schema, name: string, place: string): void => {
    if (seen.has(schema)) return;
    seen.add(schema);
    const { def } = (schema as z.core.$ZodTypes)._zod;
    const constant = CONSTANTS.get(schema);
    const discriminator = discriminatorOf(schema);
    if (constant !== undefined) [name, place] = [nameOf(constant), constant];
    if (constant !== undefined || def.type === 'object' || KEYWORDS.has(schema)) {
      if (named.has(name)) throw new RangeError(`Two schemas have the name ${name}.`);
      named.set(name, { schema, place });
    }
    if (def.type === 'object') {
      for (const [field, inner] of Object.entries(def.shape))
        visit(inner, name + capitalized(field), `${place}.${field}`);
    } else if (discriminator !== undefined) {
      for (const [index, variant] of (def as z.core.$ZodUnionDef).options.entries())
        visit(variant, name + capitalized(constantOf(variant, discriminator)), `${place}[${index}]`);
    } else if (def.type === 'array') visit(def.element, name, place);
    else if ('innerType' in def) visit(def.innerType, name, place);
  };
  for (const { request, response } of Object.values<contract.Route>(contract.ROUTES))
    for (const schema of [request, response]) if (schema) visit(schema, '', '');
  visit(contract.eventRecord, '', '');
  visit(contract.failingResponse, '', '');
  visit(contract.errorBody.shape.error, 'ErrorDetail', 'errorBody.error');
  return named;
}

function nameOf(constant: string): string {
  const short = capitalized(constant.replace(/(Record|Response|Field)$/, ''));
  return TAKEN.has(short) ? capitalized(constant) : short;
}

function capitalized(word: string): string {
  return `${word[0]!.toUpperCase()}${word.slice(1)}`;
}

/** Returns the field whose value decides the variant of a union; undefined for another schema. */
export function discriminatorOf(schema: Schema): string | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return 'discriminator' in def ? String(def.discriminator) : undefined;
}

/** Returns the constant value of a field, in lower case. */
function constantOf(variant: Schema, field: string): string {
  const { shape } = (variant as z.core.$ZodObject)._zod.def;
  return String((shape[field] as z.core.$ZodLiteral)._zod.def.values[0]).toLowerCase();
}
