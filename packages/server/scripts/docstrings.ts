/** Reads the docstrings of the contract's schemas and fields, which become descriptions in the OpenAPI document. */
import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';

const CONTRACT = new URL('../../contract/src/', import.meta.url);

interface Constant {
  readonly statement: ts.VariableStatement;
  readonly initializer: ts.Expression;
  readonly isExported: boolean;
}

/**
 * Returns docstrings by name of an exported constant, or by the path of a field or a variant in it: `ruleSetRecord`,
 * `ruleSetRecord.passFunds`, `operationRecord[0].state`. A constant that is not exported counts as written where it is named.
 */
export function readDocstrings(): Record<string, string> {
  const constants = readConstants();
  const found: Record<string, string> = {};
  const visit = (path: string, node: ts.Node): void => {
    if (ts.isPropertyAssignment(node)) {
      const field = `${path}.${node.name.getText()}`;
      note(found, field, node);
      visit(field, node.initializer);
    } else if (ts.isArrayLiteralExpression(node)) {
      for (const [index, element] of node.elements.entries()) visit(`${path}[${index}]`, element);
    } else if (ts.isIdentifier(node)) {
      const constant = constants.get(node.text);
      if (!constant || (constant.isExported && !isCopied(node))) return;
      if (found[path] === undefined && !ts.isSpreadAssignment(node.parent))
        note(found, path, constant.statement);
      visit(path, constant.initializer);
    } else ts.forEachChild(node, (child) => visit(path, child));
  };
  for (const [name, { statement, initializer, isExported }] of constants) {
    // Only schemas and their parts.
    if (!isExported || !/\bz\.|Field\b/.test(initializer.getText())) continue;
    note(found, name, statement);
    visit(name, initializer);
  }
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function readConstants(): Map<string, Constant> {
  const constants = new Map<string, Constant>();
  for (const file of readdirSync(CONTRACT, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.includes('.test.')) continue;
    const text = readFileSync(new URL(file, CONTRACT), 'utf8');
    for (const statement of ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true).statements) {
      if (!ts.isVariableStatement(statement)) continue;
      const [declaration] = statement.declarationList.declarations;
      if (!declaration?.initializer || !ts.isIdentifier(declaration.name)) continue;
      const { name, initializer } = declaration;
      const isExported = statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
      constants.set(name.text, { statement, initializer, isExported: isExported ?? false });
    }
  }
  return constants;
}

/** Returns whether the fields of a schema are copied here: `schema.shape`, or the first argument of `z.extend`. */
function isCopied({ parent }: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(parent)) return parent.name.text === 'shape';
  return ts.isCallExpression(parent) && /^z\.(extend|omit|pick|partial)$/.test(parent.expression.getText());
}

function note(found: Record<string, string>, path: string, node: ts.Node): void {
  const comment = ts.getJSDocCommentsAndTags(node).find(ts.isJSDoc)?.comment;
  const text = ts.getTextOfJSDocComment(comment);
  // Remove citations, because readers of the document do not have the specification.
  if (text) found[path] = text.replace(/\s+/g, ' ').replaceAll(/ \(SPEC\.md section \d+[^)]*\)/g, '');
}
