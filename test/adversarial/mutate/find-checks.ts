/** Finds the trust checks in a source, and makes each one that can be taken out while the tests run. */
import ts from 'typescript';

/** One way to take a check out. */
export interface Check {
  /** Unique over all files: file and line, and a count where a line has several. */
  readonly id: string;
  readonly line: number;
  /** The check as the source has it. */
  readonly text: string;
}

/** A source with all its checks switchable. */
export interface Switchable {
  readonly code: string;
  readonly checks: readonly Check[];
}

interface Edit {
  readonly start: number;
  readonly end: number;
  /** The text in place of the old one, given the switch and the old text with its own edits. */
  readonly make: (id: string, old: string) => string;
}

/** Functions whose call is a check by itself. */
const CHECKING = /^(check[A-Z]\w*|refuse[A-Z]\w*|assert[A-Z]\w*|equal)$/;
/** Functions that say whether something may be believed. */
const DECIDING = /^(is[A-Z]\w*|same[A-Z]\w*|hasMemo|namesAlike|verifySignature|failsOn\w*)$/;

/**
 * Makes each check of a source switchable: `globalThis.__check.off` names the one that is out, and
 * `globalThis.__check.passed` hears of each one that is come by, and whether it refused.
 *
 * What counts as a check: an operand of a condition that leads to a throw, the other way round of one that leads past a
 * throw, the call of a checking function, an operand of what a deciding function returns, an operand of a condition that
 * returns nothing or `false`, and `redirect: 'manual'`.
 */
export function makeSwitchable(file: string, source: string): Switchable {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.ES2022, true);
  const edits: Edit[] = [];
  /** In place of an operand: the value that it has when the check is out. */
  const operand = (node: ts.Expression, out: boolean) =>
    edits.push({
      start: node.getStart(tree),
      end: node.getEnd(),
      make: (id, old) => `globalThis.__check.at(${id}, ${out}, () => (${old}))`,
    });
  /** Whether an expression may be put into a function of its own. */
  const isPlain = (node: ts.Node): boolean => {
    let plain = true;
    const look = (each: ts.Node): void => {
      if (ts.isAwaitExpression(each) || ts.isYieldExpression(each)) plain = false;
      if (!ts.isFunctionLike(each)) ts.forEachChild(each, look);
    };
    look(node);
    return plain;
  };
  const switchOperand = (node: ts.Expression, out: boolean) => {
    if (isPlain(node)) return operand(node, out);
    // Awaited operands are asked for first.
    edits.push({
      start: node.getStart(tree),
      end: node.getEnd(),
      make: (id, old) => `globalThis.__check.seen(${id}, ${out}, (${old}))`,
    });
  };
  /** The operands of a chain of one operator. */
  const operands = (node: ts.Expression, operator: ts.SyntaxKind): ts.Expression[] => {
    const inner = ts.isParenthesizedExpression(node) ? node.expression : node;
    return ts.isBinaryExpression(inner) && inner.operatorToken.kind === operator
      ? [...operands(inner.left, operator), ...operands(inner.right, operator)]
      : [node];
  };
  const OR = ts.SyntaxKind.BarBarToken;
  const AND = ts.SyntaxKind.AmpersandAmpersandToken;

  const blockOf = (node: ts.Statement): readonly ts.Statement[] =>
    ts.isBlock(node) ? node.statements : [node];
  const ends = (statements: readonly ts.Statement[]) => statements.at(-1);
  /** Throws an error of its own: passing on what was caught refuses nothing. */
  const throws = (node: ts.Statement) => {
    const last = ends(blockOf(node));
    return last !== undefined && ts.isThrowStatement(last) && !ts.isIdentifier(last.expression);
  };
  const isOfError = (node: ts.Expression) => /^isServiceError\(error\b/.test(node.getText(tree));
  const isNothing = (node: ts.Expression | undefined): boolean =>
    node === undefined ||
    node.kind === ts.SyntaxKind.NullKeyword ||
    node.kind === ts.SyntaxKind.FalseKeyword ||
    (ts.isIdentifier(node) && node.text === 'undefined') ||
    (ts.isObjectLiteralExpression(node) && /state: '(FOREIGN|UNSEEN)'/.test(node.getText(tree)));
  const returnsNothing = (node: ts.Statement) => {
    const last = ends(blockOf(node));
    return (
      last !== undefined &&
      ts.isReturnStatement(last) &&
      last.expression !== undefined &&
      isNothing(last.expression)
    );
  };
  const isReturn = (node: ts.Statement | undefined) => node !== undefined && ts.isReturnStatement(node);
  const nameOf = (node: ts.Node): string => {
    if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) return node.name?.getText(tree) ?? '';
    const { parent } = node;
    return ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name) ? parent.name.text : '';
  };
  const calleeOf = (node: ts.Expression): string => {
    const call = ts.isAwaitExpression(node) ? node.expression : node;
    return ts.isCallExpression(call) && ts.isIdentifier(call.expression) ? call.expression.text : '';
  };

  const visit = (node: ts.Node, deciding: boolean): void => {
    let inside = deciding;
    if (ts.isFunctionLike(node)) {
      inside = DECIDING.test(nameOf(node));
      if (ts.isArrowFunction(node) && inside && !ts.isBlock(node.body)) {
        for (const each of operands(node.body, AND)) switchOperand(each, true);
      }
    }
    if (ts.isIfStatement(node) && !isOfError(node.expression)) {
      const { parent } = node;
      const siblings: readonly ts.Statement[] = ts.isBlock(parent) ? parent.statements : [];
      const after = siblings.slice(siblings.indexOf(node) + 1);
      if (throws(node.thenStatement) || (returnsNothing(node.thenStatement) && !node.elseStatement)) {
        for (const each of operands(node.expression, OR)) switchOperand(each, false);
      } else if (
        isReturn(ends(blockOf(node.thenStatement))) &&
        after.some((each) => ts.isThrowStatement(each))
      ) {
        for (const each of operands(node.expression, AND)) switchOperand(each, true);
      }
    }
    if (ts.isReturnStatement(node) && node.expression && inside) {
      for (const each of operands(node.expression, AND)) {
        if (!isNothing(each) && each.kind !== ts.SyntaxKind.TrueKeyword) switchOperand(each, true);
      }
    }
    if (ts.isConditionalExpression(node) && isNothing(node.whenFalse) && ts.isReturnStatement(node.parent)) {
      for (const each of operands(node.condition, AND)) switchOperand(each, true);
    }
    if (ts.isExpressionStatement(node) && CHECKING.test(calleeOf(node.expression))) {
      edits.push({
        start: node.getStart(tree),
        end: node.getEnd(),
        make: (id, old) => `if (globalThis.__check.stays(${id})) { ${old} }`,
      });
    }
    if (
      ts.isCallExpression(node) &&
      ts.isArrayLiteralExpression(node.parent) &&
      CHECKING.test(calleeOf(node))
    ) {
      edits.push({
        start: node.getStart(tree),
        end: node.getEnd(),
        make: (id, old) => `(globalThis.__check.stays(${id}) ? ${old} : undefined)`,
      });
    }
    if (ts.isPropertyAssignment(node) && node.getText(tree) === "redirect: 'manual'") {
      edits.push({
        start: node.initializer.getStart(tree),
        end: node.initializer.getEnd(),
        make: (id, old) => `(globalThis.__check.stays(${id}) ? ${old} : 'follow')`,
      });
    }
    ts.forEachChild(node, (child) => visit(child, inside));
  };
  visit(tree, false);

  // One expression can be found twice, as the operand of a return and of a condition.
  const unique = [...new Map(edits.map((edit) => [`${edit.start}-${edit.end}`, edit])).values()];
  unique.sort((a, b) => a.start - b.start || b.end - a.end);
  const counts = new Map<number, number>();
  const checks = unique.map(({ start, end }): Check => {
    const line = tree.getLineAndCharacterOfPosition(start).line + 1;
    const count = (counts.get(line) ?? 0) + 1;
    counts.set(line, count);
    const text = source.slice(start, end).replaceAll(/\s+/g, ' ');
    return { id: `${file}:${line}${count > 1 ? `.${count}` : ''}`, line, text };
  });
  return { code: apply(source, unique, checks), checks };
}

/** Applies edits that lie inside each other or apart, inner ones first. */
function apply(source: string, edits: readonly Edit[], checks: readonly Check[]): string {
  const render = (from: number, to: number, first: number, last: number): string => {
    let text = '';
    let at = from;
    for (let index = first; index < last; ) {
      const edit = edits[index]!;
      let next = index + 1;
      while (next < last && edits[next]!.start < edit.end) next += 1;
      text += source.slice(at, edit.start);
      text += edit.make(JSON.stringify(checks[index]!.id), render(edit.start, edit.end, index + 1, next));
      at = edit.end;
      index = next;
    }
    return text + source.slice(at, to);
  };
  return render(0, source.length, 0, edits.length);
}
