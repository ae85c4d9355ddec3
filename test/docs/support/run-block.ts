/** Runs a block of a page as a module: with its imports, and with the names that it does not declare. */
import ts from 'typescript';
import type { Block } from './code-blocks.ts';

/** What a block runs with. */
export interface Setting {
  /** The names that the block does not declare. */
  readonly names: object;
  /** The content of each JSON file that it imports. */
  readonly json: unknown;
  /** Called with each awaited expression when it is reached. */
  reach(expression: string): void;
}

const OPTIONS: ts.CompilerOptions = {
  module: ts.ModuleKind.CommonJS,
  target: ts.ScriptTarget.ESNext,
  jsx: ts.JsxEmit.ReactJSX,
  esModuleInterop: true,
};
const AsyncFunction = (async () => undefined).constructor as FunctionConstructor;

/** Runs a block, and returns the values that it declares, by name. Throws what the block throws. */
export async function runBlock(
  block: Block,
  { names, json, reach }: Setting,
): Promise<Readonly<Record<string, unknown>>> {
  const source = sourceOf(block);
  const { outputText } = ts.transpileModule(
    `${withMarks(source)}\nexport { ${declaredIn(source).join(', ')} };`,
    {
      compilerOptions: OPTIONS,
      fileName: source.fileName,
    },
  );
  const modules = new Map<string, unknown>();
  for (const [, name] of outputText.matchAll(/\brequire\("(.+?)"\)/g)) {
    modules.set(name!, name!.endsWith('.json') ? { __esModule: true, default: json } : await import(name!));
  }
  const exports: Record<string, unknown> = {};
  const given = { ...names, exports, require: (name: string) => modules.get(name), $reach: reach };
  // The braces let the block declare a name that is given.
  await new AsyncFunction(...Object.keys(given), `{ ${outputText} }`)(...Object.values(given));
  const { default: component, ...declared } = exports;
  return component === undefined ? declared : { ...declared, Default: component };
}

/** Returns the awaited expressions of a block that a run should reach: all but those in a `catch`. */
export function awaitedIn(block: Block): string[] {
  return awaitsOf(sourceOf(block)).map(({ expression }) => expression.getText());
}

function sourceOf({ code, language }: Block): ts.SourceFile {
  return ts.createSourceFile(`block.${language}`, code, ts.ScriptTarget.ESNext, true);
}

function awaitsOf(source: ts.SourceFile): ts.AwaitExpression[] {
  const found: ts.AwaitExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCatchClause(node)) return;
    if (ts.isAwaitExpression(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Returns the code of a block that reports each awaited expression that it reaches. */
function withMarks(source: ts.SourceFile): string {
  const marks = awaitsOf(source).flatMap(({ expression }) => [
    { at: expression.getStart(), text: `($reach(${JSON.stringify(expression.getText())}), ` },
    { at: expression.getEnd(), text: ')' },
  ]);
  marks.sort((a, b) => b.at - a.at);
  return marks.reduce((code, { at, text }) => code.slice(0, at) + text + code.slice(at), source.text);
}

/** Returns the names of the values that a block declares, without those that it exports itself. */
function declaredIn(source: ts.SourceFile): string[] {
  const namesOf = (name: ts.BindingName): string[] =>
    ts.isIdentifier(name)
      ? [name.text]
      : name.elements.flatMap((each) => (ts.isBindingElement(each) ? namesOf(each.name) : []));
  return source.statements.flatMap((statement) => {
    if (ts.getCombinedModifierFlags(statement as never) & ts.ModifierFlags.Export) return [];
    if (ts.isFunctionDeclaration(statement)) return statement.name ? [statement.name.text] : [];
    if (!ts.isVariableStatement(statement)) return [];
    return statement.declarationList.declarations.flatMap(({ name }) => namesOf(name));
  });
}
