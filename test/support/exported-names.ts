import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/**
 * Returns the names that a file exports from other files, also through files that it exports whole.
 *
 * @throws Error if it exports a package whole, or as one name
 */
export function exportedNames(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  return source.statements.filter(ts.isExportDeclaration).flatMap(({ exportClause, moduleSpecifier }) => {
    if (exportClause && ts.isNamedExports(exportClause))
      return exportClause.elements.map(({ name }) => name.text);
    const from = (moduleSpecifier as ts.StringLiteral).text;
    if (exportClause || !from.startsWith('.')) throw new Error(`${file}: export names explicitly`);
    return exportedNames(join(dirname(file), from));
  });
}
