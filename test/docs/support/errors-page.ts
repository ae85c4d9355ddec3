/** Makes the page of the error codes from the tables of contract and SDK and from their comments. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_CODES, type ErrorCode } from '@service/contract';
import { ServiceError, type ServiceErrorCode } from '@service/sdk';
import ts from 'typescript';
import { reasonsTable } from './reasons-table.ts';

const root = join(import.meta.dirname, '../../..');
const SERVICE_TABLE = 'packages/contract/src/errors.ts';
const CLIENT_TABLE = 'packages/sdk/src/error-codes.ts';

/** Returns the codes that only the client throws. */
export const clientErrorCodes = () => [...commentsOf(CLIENT_TABLE, 'CLIENT_ERROR_CODES').keys()];

/** Returns the page in Markdown. Throws if a code has no remedy. */
export function errorsPage(): string {
  const remedies = commentsOf(SERVICE_TABLE, 'ERROR_CODES');
  const texts = commentsOf(CLIENT_TABLE, 'CLIENT_ERROR_CODES');
  const ofService = (Object.keys(ERROR_CODES) as ErrorCode[]).map((code) => {
    const { status, meaning } = ERROR_CODES[code];
    return row(code, `${status}`, meaning, split(code, remedies.get(code)).remedy);
  });
  const ofClient = clientErrorCodes().map((code) => {
    const { meaning, remedy } = split(code, texts.get(code));
    return row(code, meaning, remedy);
  });
  return `# Error codes

<!-- Made from ${SERVICE_TABLE} and ${CLIENT_TABLE} by npm run generate. -->

Every failure is a \`ServiceError\` with one of these codes.

- \`isServiceError(error, 'NOT_ELIGIBLE')\` checks the code and narrows \`error.context\`. The type \`ServiceErrorContexts\` lists the context of each code.
- \`error.retryable\` is true if the same call can succeed later, unchanged. By default, it is true for ${listed(retryableCodes())}.
- \`error.message\` is for developers and logs: what happened, then what to do. Show people words of your own, as the demo does in \`examples/react/src/errors/error-words.ts\`.
- \`error.requestId\` is for the operator of the service.

## Codes of the service

The service answers with this HTTP status. The client throws some of them too, without a status.

| code | HTTP | meaning | what to do |
|---|---|---|---|
${ofService.join('')}
## Codes of the client

Only the client throws these. They are never sent over the wire.

| code | meaning | what to do |
|---|---|---|
${ofClient.join('')}
## Reasons of \`checkTransfer\`

\`client.checkTransfer\` throws none of these. It returns them all at once in \`reasons\`, before anyone signs. A pass can only be looked up for the owner of a token account: while the destination is \`TOKEN_ACCOUNT_NOT_FOUND\`, look for the recipient's pass with \`fetchPass\`.

| code | who can act | fields | when, and what to do |
|---|---|---|---|
${reasonsTable('packages/sdk/src/preflight/transfer-check-types.ts', 'TransferCheckReason')}
## Reasons of \`checkProof\`

\`client.checkProof\` returns these in the same way.

| code | who can act | fields | when, and what to do |
|---|---|---|---|
${reasonsTable('packages/sdk/src/preflight/proof-check-types.ts', 'ProofCheckReason')}
## Transactions that fail on chain

A transaction that fails on chain is not an error of the service. Its operation ends as \`FAILED\`, and the call that waits for it throws \`OPERATION_FAILED\`. \`context.programError.name\` is the name of the program's error, such as \`DESTINATION_PASS_MISSING\`, or \`GUARD_FAILED\` if a guard did not hold that [the wallet added](wallets.md#wallets-that-change-the-transaction): then repeat the write. \`client.checkTransfer\` and \`client.checkProof\` return the reasons of programs before anyone signs.
`;
}

/** Returns a row of a table. */
const row = (code: string, ...cells: string[]): string => `| \`${code}\` | ${cells.join(' | ')} |\n`;

/** Returns codes as a list in a sentence. */
const listed = (codes: readonly string[]): string => codes.map((code) => `\`${code}\``).join(', ');

/** Returns the codes after which a call can be repeated. */
function retryableCodes(): ServiceErrorCode[] {
  const codes = [...Object.keys(ERROR_CODES), ...clientErrorCodes()] as ServiceErrorCode[];
  return codes.filter((code) => new ServiceError(code, { message: '', context: {} as never }).retryable);
}

/** Splits a comment, "Meaning. Remedy: what to do." The service's meanings are in its table instead. */
function split(code: string, comment = ''): { meaning: string; remedy: string } {
  const [meaning = '', remedy] = comment.split(/ ?Remedy: /);
  if (!remedy) throw new Error(`${code} has no comment with "Remedy: ..."`);
  const linked = remedy.replace(/docs\/(\w+\.md)/, '[$1]($1)');
  return { meaning, remedy: linked[0]!.toUpperCase() + linked.slice(1) };
}

/** Returns the comments before the members of an object or the elements of an array, by name: '' if there is none. */
function commentsOf(file: string, table: string): ReadonlyMap<string, string> {
  const text = readFileSync(join(root, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = new Map<string, string>();
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.name.getText() === table) {
      for (const [name, member] of membersOf(node.initializer!)) {
        const [range] = ts.getLeadingCommentRanges(text, member.getFullStart()) ?? [];
        const lines = text.slice(range?.pos ?? 0, range?.end ?? 0).split('\n');
        const words = lines.map((line) => line.replace(/^\s*(\/\*\*|\*(?!\/))|\*\/\s*$/g, '').trim());
        found.set(name, words.join(' ').trim());
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Returns the members, also behind `as const` and `satisfies`. */
function membersOf(node: ts.Expression): [string, ts.Node][] {
  if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) return membersOf(node.expression);
  if (ts.isArrayLiteralExpression(node)) {
    return node.elements.map((element) => [(element as ts.StringLiteral).text, element]);
  }
  return (node as ts.ObjectLiteralExpression).properties.map((member) => [member.name!.getText(), member]);
}
