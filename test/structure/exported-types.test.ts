/** Checks that a dApp can import each type that a public signature names. */
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const PACKAGES = {
  '@service/sdk': ['index', 'chain/index', 'node/index', 'query/index', 'react/index'].map(
    (name) => `sdk/src/${name}.ts`,
  ),
  '@service/testing': ['testing/src/index.ts', 'testing/src/msw/index.ts'],
};

const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
const entries = Object.values(PACKAGES).flat().map(pathOf);
const program = ts.createProgram(entries, { ...options, incremental: false });
const checker = program.getTypeChecker();

it.each(Object.entries(PACKAGES))('%s exports every type that its exports name', (name, files) => {
  const exported = new Set(files.flatMap(exportsOf));
  // A dApp that installs the test tools has the SDK too.
  const known = new Set([...exported, ...PACKAGES['@service/sdk'].flatMap(exportsOf)]);
  const missing = new Set<string>();
  for (const symbol of exported) {
    for (const declaration of symbol.declarations ?? []) {
      for (const type of typesNamedIn(declaration)) {
        if (isOfRepository(type) && !known.has(type)) missing.add(`${type.name}, which ${symbol.name} names`);
      }
    }
  }
  expect([...missing].sort(), `Export them from ${name}`).toEqual([]);
});

function pathOf(file: string): string {
  return join(root, 'packages', file);
}

/** Returns the symbols that a file exports, not their aliases. */
function exportsOf(file: string): ts.Symbol[] {
  const module = checker.getSymbolAtLocation(program.getSourceFile(pathOf(file))!);
  return checker.getExportsOfModule(module!).map(target);
}

function target(symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** Returns the symbols that the public part of a declaration names as types. */
function typesNamedIn(declaration: ts.Node): ts.Symbol[] {
  const found: ts.Symbol[] = [];
  // Of a type with this tag, the reference shows only the fields, not how they were derived.
  const isDerived = ts.getJSDocTags(declaration).some(({ tagName }) => tagName.text === 'interface');
  const visit = (node: ts.Node): void => {
    if (isHidden(node)) return;
    const name = isDerived ? undefined : nameOfType(node);
    const symbol = name && checker.getSymbolAtLocation(name);
    if (symbol) found.push(target(symbol));
    ts.forEachChild(node, visit);
  };
  visit(declaration);
  return found;
}

/** Returns whether a node is not part of a declaration: a private member, or the body or the value of something. */
function isHidden(node: ts.Node): boolean {
  if (ts.isBlock(node)) return true;
  if (ts.isPropertyDeclaration(node) && ts.isPrivateIdentifier(node.name)) return true;
  const { parent } = node;
  const isValue = (ts.isParameter(parent) || ts.isVariableDeclaration(parent)) && parent.initializer === node;
  return isValue && !ts.isArrowFunction(node);
}

function nameOfType(node: ts.Node): ts.Node | undefined {
  if (ts.isTypeReferenceNode(node)) return node.typeName;
  if (ts.isExpressionWithTypeArguments(node)) return node.expression;
  return undefined;
}

function isOfRepository({ flags, declarations = [] }: ts.Symbol): boolean {
  if (flags & ts.SymbolFlags.TypeParameter) return false;
  return declarations.some((each) => !each.getSourceFile().fileName.includes('/node_modules/'));
}
