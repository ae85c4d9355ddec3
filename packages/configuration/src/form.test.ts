import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { exactHttpUrl, wholeNumber } from './fields.ts';
import { formOf } from './form.ts';
import { documentationOf, variable } from './read-variables.ts';

test('the form of a schema is also that of an optional one and of one with a default', () => {
  const number = wholeNumber(3, 70);
  for (const schema of [
    number,
    z.optional(number),
    z._default(number, 5),
    z.optional(z._default(number, 5)),
  ]) {
    expect(formOf(schema)).toBe('a whole number from 3 to 70');
  }
  expect(formOf(z.optional(z.string()))).toBeUndefined();
});

test('a variable has the form that is given, or that of its schema, and must have one', () => {
  const docs = { description: 'The place.', example: 'https://here.example' };
  const expectedOf = (schema: z.ZodMiniType) => documentationOf('PLACE', schema).expected;
  expect(expectedOf(variable(exactHttpUrl, docs))).toBe('an http or https URL without a user name');
  expect(expectedOf(variable(exactHttpUrl, { ...docs, expected: 'a place' }))).toBe('a place');
  expect(() => variable(z.string(), docs)).toThrow('The schema of "The place." has no form in words.');
});
