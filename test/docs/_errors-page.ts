/** Writes the page of the error codes from the tables of contract and SDK, and the comments in them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_CODES, type ErrorCode } from '@service/contract';
import ts from 'typescript';
import { CLIENT_ERROR_CODES, type ServiceErrorCode } from '../../packages/sdk/src/error-codes.ts';
import { ServiceError } from '../../packages/sdk/src/errors.ts';

const root = join(import.meta.dirname, '../..');
const SERVICE_TABLE = 'packages/contract/src/errors.ts';
const CLIENT_TABLE = 'packages/sdk/src/error-codes.ts';

/** Returns the page, in Markdown. Throws if a code has no remedy. */
export function errorsPage(): string {
  const thrown = thrownByTheClient();
  const remedies = commentsOf(SERVICE_TABLE, 'ERROR_CODES');
  const texts = commentsOf(CLIENT_TABLE, 'CLIENT_ERROR_CODES');
  const ofService = (Object.keys(ERROR_CODES) as ErrorCode[]).map((code) => {
    const { status, meaning } = ERROR_CODES[code];
    const who = thrown.has(code) ? 'service, client' : 'service';
    return row(code, who, `${status}`, meaning, split(code, remedies.get(code)).remedy);
  });
  const ofClient = CLIENT_ERROR_CODES.map((code) => {
    const { meaning, remedy } = split(code, texts.get(code));
    return row(code, 'client', '', meaning, remedy);
  });
  return `# Error codes

<!-- Made from ${SERVICE_TABLE} and ${CLIENT_TABLE} by npm run docs:errors. -->

Every failure is a \`ServiceError\` with one of these codes.

| member | what it is |
|---|---|
| \`code\` | the code; \`isServiceError(error, 'NOT_ELIGIBLE')\` narrows the type of \`context\` |
| \`context\` | facts about the failure; \`ServiceErrorContexts\` has the type for each code |
| \`retryable\` | whether the same call can succeed later without a change |
| \`message\` | a text for people |
| \`requestId\` | the id of the response, for the operator |

## Codes of the service

HTTP is the status of the response. The client also throws some of these codes before it sends a request. Such an error has no status.

| code | thrown by | HTTP | meaning | what to do | retryable |
|---|---|---|---|---|---|
${ofService.join('')}
## Codes of the client

The service never returns these codes.

| code | thrown by | HTTP | meaning | what to do | retryable |
|---|---|---|---|---|---|
${ofClient.join('')}
A transaction can fail on chain. Then its operation ends as \`FAILED\`, and the call that waits for it throws \`OPERATION_FAILED\`. \`context.programError.name\` is the name of the program's error, such as \`DESTINATION_PASS_MISSING\`. Call \`client.checkTransfer\` or \`client.checkProof\` to find such reasons before anybody signs.
`;
}

function row(code: ServiceErrorCode, who: string, status: string, meaning: string, remedy: string): string {
  const { retryable } = new ServiceError(code, { message: '', context: {} as never });
  return `| \`${code}\` | ${who} | ${status} | ${meaning} | ${remedy} | ${retryable ? 'yes' : 'no'} |\n`;
}

/** Splits a comment of the form "Meaning. Remedy: what to do." The table has the meaning of the service's codes. */
function split(code: string, comment = ''): { meaning: string; remedy: string } {
  const [meaning = '', remedy] = comment.split(/ ?Remedy: /);
  if (!remedy) throw new Error(`${code} has no comment with "Remedy: ..."`);
  const linked = remedy.replace(/docs\/(\w+\.md)/, '[$1]($1)');
  return { meaning, remedy: linked[0]!.toUpperCase() + linked.slice(1) };
}

/** Returns the comments before the members of an object or the elements of an array, by name. */
function commentsOf(file: string, table: string): ReadonlyMap<string, string> {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(root, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const found = new Map<string, string>();
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.name.getText() === table) {
      for (const [name, member] of membersOf(node.initializer!)) {
        const [range] = ts.getLeadingCommentRanges(source.text, member.getFullStart()) ?? [];
        if (!range) continue;
        const lines = source.text.slice(range.pos, range.end).split('\n');
        const text = lines.map((line) => line.replace(/^\s*(\/\*\*|\*(?!\/))|\*\/\s*$/g, '').trim());
        found.set(name, text.join(' ').trim());
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Returns the members of an object or an array, also if it has `as const` or `satisfies`. */
function membersOf(node: ts.Expression): [string, ts.Node][] {
  if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) return membersOf(node.expression);
  if (ts.isArrayLiteralExpression(node)) {
    return node.elements.map((element) => [(element as ts.StringLiteral).text, element]);
  }
  return (node as ts.ObjectLiteralExpression).properties.map((member) => [member.name!.getText(), member]);
}

/** Returns the codes that the client throws without a response of the service. */
function thrownByTheClient(): ReadonlySet<string> {
  const folder = join(root, 'packages/sdk/src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const isSource = (file: string) => /\.ts$/.test(file) && !/\.(test|fixture)\.ts$/.test(file);
  const sources = files.filter(isSource).map((file) => join(folder, file));
  const text = sources.map((file) => readFileSync(file, 'utf8')).join('\n');
  return new Set([...text.matchAll(/new ServiceError\(\s*'([A-Z_]+)'/g)].map(([, code]) => code!));
}
