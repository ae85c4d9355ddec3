/** The parts of the page: texts, types, tables of fields. */
import { html } from 'hono/html';
import type { JsonSchema } from './types.ts';

/** Markup in which every value is escaped. */
export type Html = Exclude<ReturnType<typeof html>, Promise<unknown>>;

/** Renders a sentence; text between backticks becomes code. */
export function text(sentence = ''): Html[] {
  return sentence
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`) as Html);
}

/** Renders paragraphs, which are separated by empty lines. */
export function prose(paragraphs: string): Html[] {
  return paragraphs.split('\n\n').map((paragraph) => html`<p>${text(paragraph)}</p>` as Html);
}

/** Returns the id of a named schema on the page. */
export function anchorOf(name: string): string {
  return `schema-${name}`;
}

/** Returns the last part of a reference. */
export function nameOf(reference: string): string {
  return reference.split('/').at(-1) ?? reference;
}

/** Renders the type of a value in a few words, with links to named schemas. */
export function typeOf(schema: JsonSchema): Html {
  const { $ref, anyOf, oneOf, items, type, enum: values } = schema;
  if ($ref) return html`<a href="#${anchorOf(nameOf($ref))}">${nameOf($ref)}</a>` as Html;
  const options = oneOf ?? anyOf;
  if (options) return joined(options.map(typeOf), ' or ');
  if ('const' in schema) return html`<code>${JSON.stringify(schema.const)}</code>` as Html;
  if (values && values.length <= 8) {
    return joined(
      values.map((value) => html`<code>${String(value)}</code>` as Html),
      ' or ',
    );
  }
  if (items) return html`list of ${typeOf(items)}` as Html;
  return html`${Array.isArray(type) ? type.join(' or ') : (type ?? 'anything')}` as Html;
}

function joined(parts: Html[], by: string): Html {
  return html`${parts.map((part, index) => html`${index === 0 ? '' : by}${part}`)}` as Html;
}

/** Renders the constraints of a value in addition to its type. */
function boundsOf(schema: JsonSchema): Html | '' {
  const {
    minLength,
    maxLength,
    minimum,
    maximum,
    minItems,
    maxItems,
    format,
    pattern,
    enum: values,
    not,
  } = schema;
  const bounds = [
    rangeOf(minLength, maxLength, 'characters'),
    rangeOf(minItems, maxItems, 'items'),
    rangeOf(minimum, maximum, ''),
    format ?? '',
    schema.contentEncoding ?? '',
    schema.uniqueItems ? 'no duplicates' : '',
    values && values.length > 8 ? `one of ${values.length}: ${values.join(', ')}` : '',
    not && 'const' in not ? `not ${JSON.stringify(not.const)}` : '',
  ].filter((bound) => bound !== '');
  if (bounds.length === 0 && !pattern) return '';
  return html`<p class="bounds">${bounds.join('; ')}${pattern ? html` <code>${pattern}</code>` : ''}</p>` as Html;
}

function rangeOf(least: number | undefined, most: number | undefined, unit: string): string {
  if (least === undefined && most === undefined) return '';
  if (least === most) return `exactly ${least} ${unit}`;
  if (least === undefined) return `at most ${most} ${unit}`;
  return most === undefined ? `at least ${least} ${unit}` : `${least} to ${most} ${unit}`;
}

/** A field or parameter. */
export interface Field {
  readonly schema: JsonSchema;
  readonly required: boolean;
  readonly description?: string;
  /** Shown next to its name. */
  readonly note?: string;
}

/** Renders a table of fields or parameters. */
export function fieldTable(heading: string, fields: readonly (readonly [string, Field])[]): Html | '' {
  if (fields.length === 0) return '';
  return html`<div class="wide"><table><thead><tr><th>${heading}</th><th>Type</th><th>Meaning</th></tr></thead><tbody>
${fields.map(([name, field]) => fieldRow(name, field))}</tbody></table></div>` as Html;
}

function fieldRow(name: string, { schema, required, description, note }: Field): Html {
  const notes = [note ?? '', required ? '' : 'optional'].filter((each) => each !== '');
  return html`<tr><td><code>${name}</code>${notes.length > 0 ? html` <small>${notes.join(', ')}</small>` : ''}</td>
<td>${typeOf(schema)}${boundsOf(schema)}</td><td>${text(description ?? schema.description)}</td></tr>` as Html;
}

/** Renders the table of a record's fields, if it has any. */
export function recordTable({ properties = {}, required = [] }: JsonSchema): Html | '' {
  const fields = Object.entries(properties);
  return fieldTable(
    'Field',
    fields.map(([name, schema]) => [name, { schema, required: required.includes(name) }]),
  );
}

/** Renders a named schema: its description, and its fields if it has any. */
export function schemaTable(schema: JsonSchema): Html {
  const isPlain = !schema.properties && schema.type !== 'object';
  return html`<p>${text(schema.description)}</p>
${isPlain ? html`<p class="type">${typeOf(schema)}</p>${boundsOf(schema)}` : ''}
${recordTable(schema)}` as Html;
}
