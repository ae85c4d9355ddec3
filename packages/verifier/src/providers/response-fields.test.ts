import { expect, test } from 'vitest';
import { ProviderError } from '../provider.ts';
import { dayAt, itemsAt, onlyOne, requiredText, textAt, textsAt, valueAt } from './response-fields.ts';

const response = {
  text: 'a',
  empty: '',
  number: 7,
  nothing: null,
  list: ['a', 7, null, 'b'],
  deep: { text: 'c' },
};

test.each([
  ['text', 'a'],
  ['empty', ''],
  ['deep.text', 'c'],
  ['list.0', 'a'],
  ['number', undefined],
  ['nothing', undefined],
  ['nothing.text', undefined],
  ['deep', undefined],
  ['list', undefined],
  ['missing', undefined],
  ['missing.text', undefined],
  ['text.length', undefined],
  ['constructor.name', undefined],
  ['__proto__', undefined],
])('the text at %s is %j', (path, text) => {
  expect(textAt(response, path)).toBe(text);
});

test.each([[null], [undefined], [7], ['text'], [[]]])('%j has no text', (given) => {
  expect(textAt(given, 'text')).toBeUndefined();
});

test('values of objects that every object has are not there', () => {
  for (const path of ['toString', 'constructor', '__proto__', 'list.length.toString', 'list.map']) {
    expect(valueAt(response, path), path).toBeUndefined();
  }
});

test('required text that is missing gives a ProviderError that names the path and no value', () => {
  expect(requiredText(response, 'deep.text')).toBe('c');
  expect(() => requiredText(response, 'number')).toThrow(ProviderError);
  expect(() => requiredText(response, 'number')).toThrow(/^The provider's response has no number\. [^7]*$/);
});

test.each([
  ['1990-05-17', '1990-05-17'],
  ['1990-5-17', undefined],
  ['17.05.1990', undefined],
  ['1990-05-17T00:00:00Z', undefined],
  ['1990-05-17\n', undefined],
  [19900517, undefined],
])('the day %j is %s', (given, day) => {
  expect(dayAt({ given }, 'given')).toBe(day);
});

test('lists have items, and anything else has none', () => {
  expect(itemsAt(response, 'list')).toEqual(['a', 7, null, 'b']);
  expect(textsAt(response, 'list')).toEqual(['a', 'b']);
  for (const path of ['text', 'deep', 'missing', 'nothing']) expect(itemsAt(response, path)).toEqual([]);
});

test('only a list of one has an only item', () => {
  expect([onlyOne([]), onlyOne(['a']), onlyOne(['a', 'a'])]).toEqual([undefined, 'a', undefined]);
});
