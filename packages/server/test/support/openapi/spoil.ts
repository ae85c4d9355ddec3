/** Makes invalid values from a valid one. */
import type { OpenApiDocument } from '../../../src/openapi/document.ts';
import type { JsonSchema } from '../../../src/openapi/types.ts';
import { resolved } from './answers.ts';

/** A value with one fault. */
export interface Spoilt {
  readonly what: string;
  readonly value: unknown;
}

/** Breaks each keyword of a schema in turn, and returns the resulting values. */
export function spoil(
  document: OpenApiDocument,
  schema: JsonSchema,
  value: unknown,
  where = 'body',
): Spoilt[] {
  const { $ref, ...keywords } = schema;
  const whole = $ref ? { ...resolved<JsonSchema>(document, { $ref }), ...keywords } : schema;
  if (whole.$ref) return spoil(document, whole, value, where);
  const branches = whole.anyOf ?? whole.oneOf;
  if (branches) return branches.flatMap((branch) => spoil(document, branch, value, where));
  const own = [...wrongTypes(whole), ...outOfBounds(whole, value)].map((wrong) => ({
    what: `${where} ${wrong.what}`,
    value: wrong.value,
  }));
  if (Array.isArray(value) && whole.items) {
    const items = spoil(document, whole.items, value[0], `${where}[0]`);
    return [...own, ...items.map((wrong) => ({ ...wrong, value: [wrong.value, ...value.slice(1)] }))];
  }
  return isRecord(value) && whole.properties ? [...own, ...inFields(document, whole, value, where)] : own;
}

function inFields(
  document: OpenApiDocument,
  { properties = {}, required = [], additionalProperties }: JsonSchema,
  value: Record<string, unknown>,
  where: string,
): Spoilt[] {
  const without = (field: string) =>
    Object.fromEntries(Object.entries(value).filter(([name]) => name !== field));
  return [
    ...(additionalProperties === false
      ? [{ what: `${where} with a field too many`, value: { ...value, more: 1 } }]
      : []),
    ...required.map((field) => ({ what: `${where} without ${field}`, value: without(field) })),
    ...Object.entries(properties)
      .filter(([field]) => field in value)
      .flatMap(([field, schema]) =>
        spoil(document, schema, value[field], `${where}.${field}`).map((wrong) => ({
          what: wrong.what,
          value: { ...value, [field]: wrong.value },
        })),
      ),
  ];
}

const OF_TYPE: Record<string, unknown> = {
  string: 'text',
  integer: 7,
  boolean: true,
  array: [],
  object: {},
  null: null,
};

function wrongTypes({ type }: JsonSchema): Spoilt[] {
  if (typeof type !== 'string') return [];
  const others = Object.keys(OF_TYPE).filter((other) => other !== type);
  // One other type and null are enough.
  return [others[0]!, 'null'].map((other) => ({ what: `of type ${other}`, value: OF_TYPE[other] }));
}

function outOfBounds(schema: JsonSchema, value: unknown): Spoilt[] {
  const wrong: [string, unknown][] = [];
  const { maxLength, minLength, minimum, maximum, minItems, maxItems } = schema;
  if (typeof value === 'string') {
    if (schema.pattern !== undefined || schema.format !== undefined)
      wrong.push(['malformed', `! ${value}`], ['with a control character', `\u0007${value}`]);
    if (schema.pattern !== undefined && /^\d+$/.test(value))
      wrong.push(['with a zero before it', `0${value}`], ['of more than 64 bits', (2n ** 64n).toString()]);
    if (schema.enum !== undefined || schema.const !== undefined)
      wrong.push(['of no known value', `${value}-not`]);
    if (maxLength !== undefined) wrong.push(['too long', value.padEnd(maxLength + 1, value.at(-1) ?? 'A')]);
    if (minLength !== undefined && minLength > 0) wrong.push(['too short', value.slice(0, minLength - 1)]);
  }
  if (schema.not?.const !== undefined) wrong.push(['of a value left out', schema.not.const]);
  if (minimum !== undefined) wrong.push(['too small', minimum - 1]);
  if (maximum !== undefined) wrong.push(['too large', maximum + 1]);
  if (schema.type === 'integer') wrong.push(['broken', 1.5]);
  if (Array.isArray(value)) {
    if (minItems !== undefined && minItems > 0) wrong.push(['too few', value.slice(0, minItems - 1)]);
    if (maxItems !== undefined) wrong.push(['too many', new Array(maxItems + 1).fill(value[0])]);
    if (schema.uniqueItems) wrong.push(['twice', [value[0], value[0]]]);
  }
  return wrong.map(([what, spoilt]) => ({ what, value: spoilt }));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
