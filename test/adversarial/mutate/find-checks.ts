/** Finds the trust checks in a source, and adds a switch to each, so that tests can run without it. */
import ts from 'typescript';

/** A check that can be switched off. */
export interface Check {
  /** File and line, and a count if a line has several. Unique over all files. */
  readonly id: string;
  readonly line: number;
  /** The check as it is in the source. */
  readonly text: string;
}

interface Edit {
  readonly start: number;
  readonly end: number;
  /** Returns the new text, from the id of the check and the old text with its own edits. */
  readonly make: (id: string, old: string) => string;
}

/** Functions whose call is a check. */
const CHECKING = /^(check[A-Z]\w*|refuse[A-Z]\w*|assert[A-Z]\w*|equal)$/;
/** Functions that return what is wrong, as text. */
const FAULTING = /Fault$/;
/** Functions that decide whether something can be trusted. */
const DECIDING = /^(is[A-Z]\w*|same[A-Z]\w*|hasMemo|namesAlike|verifySignature|failsOn\w*)$/;

/**
 * Adds a switch to each check of a source. `globalThis.__check.off` is the id of the check that is off, and
 * `globalThis.__check` records each check that runs, and whether it rejected something.
 *
 * A check is: an operand of a condition that leads to a throw, the opposite of one that leads past a throw, the call of a
 * checking function, an operand of what a deciding function returns, an operand of a condition that returns nothing or
 * `false`, or what is wrong as text, and `redirect: 'manual'`.
 */
export function makeSwitchable(file: string, source: string): { code: string; checks: readonly Check[] } {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.ES2022, true);
  const edits: Edit[] = [];
  const edit = (node: ts.Node, make: Edit['make']) =>
    edits.push({ start: node.getStart(tree), end: node.getEnd(), make });
  /** Returns whether an expression can be moved into a function of its own. */
  const isPlain = (node: ts.Node): boolean =>
    !ts.isAwaitExpression(node) &&
    !ts.isYieldExpression(node) &&
    (ts.isFunctionLike(node) || !ts.forEachChild(node, (child) => !isPlain(child)));
  /** Gives an operand the value `out` while its check is off. Awaited operands are evaluated first. */
  const switchOperand = (node: ts.Expression, out: boolean) =>
    isPlain(node)
      ? edit(node, (id, old) => `globalThis.__check.at(${id}, ${out}, () => (${old}))`)
      : edit(node, (id, old) => `globalThis.__check.seen(${id}, ${out}, (${old}))`);
  /** Returns the operands of a chain of one operator. */
  const operands = (node: ts.Expression, operator: ts.SyntaxKind): ts.Expression[] => {
    const inner = ts.isParenthesizedExpression(node) ? node.expression : node;
    return ts.isBinaryExpression(inner) && inner.operatorToken.kind === operator
      ? [...operands(inner.left, operator), ...operands(inner.right, operator)]
      : [node];
  };
  const switchAll = (node: ts.Expression, operator: ts.SyntaxKind, out: boolean) => {
    for (const each of operands(node, operator)) switchOperand(each, out);
  };
  const OR = ts.SyntaxKind.BarBarToken;
  const AND = ts.SyntaxKind.AmpersandAmpersandToken;

  const lastOf = (node: ts.Statement) => (ts.isBlock(node) ? node.statements.at(-1) : node);
  /** Returns whether a statement throws an error of its own. One that it caught does not count. */
  const throws = (node: ts.Statement) => {
    const last = lastOf(node);
    return last !== undefined && ts.isThrowStatement(last) && !ts.isIdentifier(last.expression);
  };
  const isOfError = (node: ts.Expression) => /^isServiceError\(error\b/.test(node.getText(tree));
  const isNothing = (node: ts.Expression | undefined): boolean =>
    node === undefined ||
    node.kind === ts.SyntaxKind.NullKeyword ||
    node.kind === ts.SyntaxKind.FalseKeyword ||
    (ts.isIdentifier(node) && node.text === 'undefined') ||
    (ts.isObjectLiteralExpression(node) && /state: '(OTHER|UNSEEN)'/.test(node.getText(tree)));
  const returnsNothing = (node: ts.Statement) => {
    const last = lastOf(node);
    return (
      last !== undefined && ts.isReturnStatement(last) && !!last.expression && isNothing(last.expression)
    );
  };
  const returnsText = (node: ts.Statement) => {
    const last = lastOf(node);
    return (
      last !== undefined &&
      ts.isReturnStatement(last) &&
      !!last.expression &&
      ts.isStringLiteral(last.expression)
    );
  };
  const nameOf = (node: ts.Node): string => {
    if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) return node.name?.getText(tree) ?? '';
    const { parent } = node;
    return ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name) ? parent.name.text : '';
  };
  const calleeOf = (node: ts.Expression): string => {
    const call = ts.isAwaitExpression(node) ? node.expression : node;
    return ts.isCallExpression(call) && ts.isIdentifier(call.expression) ? call.expression.text : '';
  };

  const visit = (node: ts.Node, deciding: boolean, faulting: boolean): void => {
    let inside = deciding;
    let naming = faulting;
    if (ts.isFunctionLike(node)) {
      inside = DECIDING.test(nameOf(node));
      naming = FAULTING.test(nameOf(node));
      if (ts.isArrowFunction(node) && inside && !ts.isBlock(node.body)) {
        switchAll(node.body, AND, true);
      }
    }
    if (ts.isIfStatement(node) && !isOfError(node.expression)) {
      const { parent } = node;
      const siblings: readonly ts.Statement[] = ts.isBlock(parent) ? parent.statements : [];
      const after = siblings.slice(siblings.indexOf(node) + 1);
      const isFault = naming && returnsText(node.thenStatement);
      if (
        throws(node.thenStatement) ||
        isFault ||
        (returnsNothing(node.thenStatement) && !node.elseStatement)
      ) {
        switchAll(node.expression, OR, false);
      } else if (lastOf(node.thenStatement)?.kind === ts.SyntaxKind.ReturnStatement) {
        if (after.some(ts.isThrowStatement)) switchAll(node.expression, AND, true);
      }
    }
    if (ts.isReturnStatement(node) && node.expression && inside) {
      for (const each of operands(node.expression, AND)) {
        if (!isNothing(each) && each.kind !== ts.SyntaxKind.TrueKeyword) switchOperand(each, true);
      }
    }
    if (ts.isConditionalExpression(node) && isNothing(node.whenFalse) && ts.isReturnStatement(node.parent)) {
      switchAll(node.condition, AND, true);
    }
    if (ts.isExpressionStatement(node) && CHECKING.test(calleeOf(node.expression))) {
      // In braces of its own, so that an `else` after the statement stays that of the `if` before it.
      edit(node, (id, old) => `{ if (globalThis.__check.stays(${id})) { ${old} } }`);
    }
    const isElement = ts.isCallExpression(node) && ts.isArrayLiteralExpression(node.parent);
    if (isElement && CHECKING.test(calleeOf(node))) {
      edit(node, (id, old) => `(globalThis.__check.stays(${id}) ? ${old} : undefined)`);
    }
    if (ts.isPropertyAssignment(node) && node.getText(tree) === "redirect: 'manual'") {
      edit(node.initializer, (id, old) => `(globalThis.__check.stays(${id}) ? ${old} : 'follow')`);
    }
    ts.forEachChild(node, (child) => visit(child, inside, naming));
  };
  visit(tree, false, false);

  // An expression can be found twice: as the operand of a return and of a condition.
  const unique = [...new Map(edits.map((each) => [`${each.start}-${each.end}`, each])).values()];
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

/** Applies edits that are nested or apart, inner ones first. */
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
