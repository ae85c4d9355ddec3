/** Makes docs/wire.md from the OpenAPI document of the service, which is made from the schemas of packages/contract. */
import {
  type JsonSchema,
  type OpenApiDocument,
  type Operation,
  openApiDocument,
} from '@service/server/openapi';

/** Returns the page in Markdown. */
export function wirePage(): string {
  const document = openApiDocument('https://site.example');
  const { tags, paths, components } = document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      title: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
  const groups = tags.map(({ name, description }) => {
    const own = operations.filter(({ operation }) => operation.tags[0] === name);
    const sections = own.map(({ title, operation }) => endpoint(document, title, operation));
    return `## Endpoints: ${name}\n\n${description}\n\n${sections.join('\n')}`;
  });
  const records = Object.entries(components.schemas).map(([name, schema]) => record(name, schema));
  return `# Wire format

<!-- Made from packages/contract by npm run docs:wire. -->

Every request, response and record of the service, with the type of each field. The [interface](SPEC.md) says what they are for. A
running service publishes the same as OpenAPI at \`/api/openapi.json\` and as a page at \`/api/docs\`, with examples.

- Requests are strict: the service rejects an unknown field with \`INVALID_REQUEST\`. Responses may get more fields, so ignore those
  that you do not know.
- A success is HTTP 200 with a JSON body. Every other status has the [error body](#errordetail).
- \`U64\` is a decimal string. Times are in Unix seconds, amounts in base units, and SOL in lamports.
- A \`rule\` is the address of a rule set. A \`ruleSet\` is its record.
- Every POST but the webhook needs the header \`Origin\` with the URL of the site.
- Each endpoint can also answer \`RATE_LIMITED\`, \`INTERNAL\` and \`UNAVAILABLE\`.

${groups.join('\n')}
## Records

${records.join('\n')}`;
}

function endpoint({ components }: OpenApiDocument, title: string, operation: Operation): string {
  const { summary, description, parameters, requestBody, responses, security } = operation;
  // An endpoint that only accepts a session has an empty requirement beside it.
  const needsSession = security.length > 0 && security.every((each) => 'session' in each);
  const access = needsSession ? 'Needs a session. ' : '';
  const rows = parameters.map((each) => {
    const parameter = '$ref' in each ? components.parameters[nameOf(each.$ref)]! : each;
    return [`\`${parameter.name}\``, parameter.in, typeOf(parameter.schema), parameter.description];
  });
  const body = requestBody?.content['application/json']?.schema;
  const answer = responses[200]?.content ?? {};
  const returned = answer['application/json']?.schema;
  const common = ['RATE_LIMITED', 'INTERNAL', 'UNAVAILABLE'];
  const codes = Object.entries(responses)
    .filter(([status]) => status !== '200')
    .flatMap(([, { content }]) => Object.keys(content['application/json']?.examples ?? {}))
    .filter((code) => !common.includes(code));
  return [
    `### \`${title}\`\n`,
    `**${summary}.** ${access}${description}\n`,
    ...(rows.length > 0 ? [table(['parameter', 'in', 'type', 'meaning'], rows)] : []),
    ...(body ? [`- Request: ${typeOf(body)}`] : []),
    `- Response: ${returned ? typeOf(returned) : Object.keys(answer).join(', ')}`,
    ...(codes.length > 0 ? [`- Errors: ${codes.map((code) => `\`${code}\``).join(', ')}`] : []),
    '',
  ].join('\n');
}

function record(name: string, schema: JsonSchema): string {
  const { properties = {}, required = [], description = '' } = schema;
  const rows = Object.entries(properties).map(([field, property]) => [
    `\`${field}\`${required.includes(field) ? '' : '?'}`,
    [typeOf(property), ...boundsOf(property)].join('; '),
    property.description ?? '',
  ]);
  const plain = [typeOf(schema), ...boundsOf(schema)].join('; ');
  const content =
    rows.length > 0
      ? table(['field', 'type', 'meaning'], rows)
      : schema.type === 'object'
        ? ''
        : `Type: ${plain}\n`;
  return `### ${name}\n\n${description}\n\n${content}`.replaceAll(/\n{3,}/g, '\n\n');
}

function table(heads: string[], rows: string[][]): string {
  const line = (cells: string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |\n`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('');
}

const nameOf = (reference: string) => reference.split('/').at(-1) ?? reference;

function typeOf(schema: JsonSchema): string {
  const { $ref, anyOf, oneOf, items, type, enum: values } = schema;
  if ($ref) return `[${nameOf($ref)}](#${nameOf($ref).toLowerCase()})`;
  const options = oneOf ?? anyOf;
  if (options) return options.map(typeOf).join(' or ');
  if ('const' in schema) return `\`${JSON.stringify(schema.const)}\``;
  if (values && values.length <= 8) return values.map((value) => `\`${value}\``).join(' or ');
  if (items) return `list of ${typeOf(items)}`;
  return Array.isArray(type) ? type.join(' or ') : (type ?? 'anything');
}

function boundsOf(schema: JsonSchema): string[] {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, pattern, enum: values } = schema;
  return [
    rangeOf(minLength, maxLength, ' characters'),
    rangeOf(minItems, maxItems, ' items'),
    rangeOf(minimum, maximum, ''),
    schema.contentEncoding ?? '',
    schema.uniqueItems ? 'no duplicates' : '',
    values && values.length > 8 ? `one of ${values.length} codes` : '',
    pattern ? `\`${pattern}\`` : '',
  ].filter((bound) => bound !== '');
}

function rangeOf(least: number | undefined, most: number | undefined, unit: string): string {
  if (least === undefined && most === undefined) return '';
  if (least === most) return `exactly ${least}${unit}`;
  if (least === undefined) return `at most ${most}${unit}`;
  return most === undefined ? `at least ${least}${unit}` : `${least} to ${most}${unit}`;
}
