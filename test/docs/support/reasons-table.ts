/** Makes the tables of the reasons of `checkTransfer` and `checkProof` from their types and the comments there. */
import { join } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '../../..');

/** Returns a row for each member of the union: its code, who can act, its other fields, and its comment. */
export function reasonsTable(file: string, type: string): string {
  const program = ts.createProgram([join(root, file)], {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
  });
  const source = program.getSourceFile(join(root, file))!;
  const alias = source.statements.find((node) => ts.isTypeAliasDeclaration(node) && node.name.text === type);
  const union = (alias as ts.TypeAliasDeclaration).type as ts.UnionTypeNode;
  const checker = program.getTypeChecker();
  return union.types
    .map((member) => {
      const fields = checker.getTypeFromTypeNode(member).getProperties();
      const literals = (name: string) => {
        const field = checker.getTypeOfSymbol(fields.find((symbol) => symbol.name === name)!);
        return (field.isUnion() ? field.types : [field]).map((one) => (one as ts.StringLiteralType).value);
      };
      const others = fields.map(({ name }) => name).filter((name) => name !== 'code' && name !== 'who');
      const [code] = literals('code');
      const cells = [literals('who').join(', '), others.map((name) => `\`${name}\``).join(', ')];
      return `| \`${code}\` | ${cells.join(' | ')} | ${commentBefore(source.text, member)} |\n`;
    })
    .join('');
}

/** Returns the comment before the bar of a member. */
function commentBefore(text: string, node: ts.Node): string {
  const words = /\/\*\* ([^\n]+) \*\/\s*\|\s*$/.exec(text.slice(0, node.getStart()))?.[1];
  if (!words) throw new Error(`${node.getText()} has no comment that says when, and what to do.`);
  return words.replace(/\bclient\.\w+|\b(createTokenAccount|fundRuleSet|tokenAccountOf)\b/g, '`$&`');
}
