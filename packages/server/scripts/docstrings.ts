/** Reads the docstrings of the contract's schemas and fields, which become descriptions in the OpenAPI document. */
import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';

const CONTRACT = new URL('../../contract/src/', import.meta.url);

/** Returns docstrings by name of the constant or dotted path of a field: `ruleSetRecord`, `ruleSetRecord.passFunds`. */
export function readDocstrings(): Record<string, string> {
  const found: Record<string, string> = {};
  for (const file of readdirSync(CONTRACT, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.includes('.test.'),
  )) {
    const text = readFileSync(new URL(file, CONTRACT), 'utf8');
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    for (const statement of source.statements) {
      if (!ts.isVariableStatement(statement)) continue;
      const [declaration] = statement.declarationList.declarations;
      if (!declaration?.initializer || !ts.isIdentifier(declaration.name)) continue;
      // Only schemas and their parts.
      if (!/\bz\.|Field\b/.test(declaration.initializer.getText())) continue;
      note(found, declaration.name.text, statement);
      noteFields(found, declaration.name.text, declaration.initializer);
    }
  }
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function noteFields(found: Record<string, string>, path: string, node: ts.Node): void {
  ts.forEachChild(node, (child) => {
    if (!ts.isPropertyAssignment(child)) return noteFields(found, path, child);
    const field = `${path}.${child.name.getText()}`;
    note(found, field, child);
    noteFields(found, field, child.initializer);
  });
}

function note(found: Record<string, string>, path: string, node: ts.Node): void {
  const comment = ts.getJSDocCommentsAndTags(node).find(ts.isJSDoc)?.comment;
  const text = ts.getTextOfJSDocComment(comment);
  // Remove citations, because readers of the document do not have the specification.
  if (text) found[path] = text.replace(/\s+/g, ' ').replaceAll(/ \(SPEC\.md section \d+[^)]*\)/g, '');
}
