/** One change of one statement of the circuit's source. */
export interface Mutant {
  /** File, statement and replacement. equivalent-mutants.ts matches this text. */
  readonly id: string;
  readonly kind: 'unconstrained' | 'removed' | 'width' | 'number' | 'operator';
  readonly file: string;
  /** The whole changed file. Line numbers stay the same, because signals are named after them. */
  readonly text: string;
  /** The statement before the change. */
  readonly statement: string;
}

/** Returns every mutant of the circuit's sources, in order of file and line. */
export function mutantsOf(sources: Readonly<Record<string, string>>): Mutant[] {
  const mutants: Mutant[] = [];
  for (const [file, text] of Object.entries(sources)) {
    const lines = text.split('\n');
    lines.forEach((line, index) => {
      const statement = line.replace(/\/\/.*$/, '').trim();
      if (!isStatement(statement)) return;
      for (const { kind, changed } of changesOf(statement)) {
        // The same statement can be in the file twice.
        const where = lines.slice(0, index).filter((other) => other.trim() === line.trim()).length;
        const id = `${file}${where ? ` (${where + 1})` : ''}: ${statement}  =>  ${changed || '(removed)'}`;
        if (mutants.some((other) => other.id === id)) continue;
        const whole = lines.with(index, changed).join('\n');
        mutants.push({ id, kind, file, statement, text: kind === 'width' ? withoutAsserts(whole) : whole });
      }
    });
  }
  return mutants;
}

interface Change {
  readonly kind: Mutant['kind'];
  readonly changed: string;
}

/** Returns whether a line makes constraints. Declarations and asserts of template parameters do not. */
function isStatement(statement: string): boolean {
  if (/^(pragma|include|template|assert|component main|signal input|signal output)\b/.test(statement))
    return false;
  return /<==|===|=|\)\(/.test(statement);
}

/** Removes the asserts of parameters, which would stop the compilation of a wider number. */
function withoutAsserts(text: string): string {
  return text.replace(/assert\(.*\);/g, '');
}

function* changesOf(statement: string): Generator<Change> {
  yield* unconstrainedOf(statement);
  if (/===|\+=|^\w+\(.*\)\(.*\);$|Num2Bits/.test(statement)) yield { kind: 'removed', changed: '' };
  yield* widthsOf(statement);
  yield* numbersOf(statement);
  yield* operatorsOf(statement);
}

/** Unconstrains a signal: an honest prover still gives it the same value, but a cheating one can choose any. */
function* unconstrainedOf(statement: string): Generator<Change> {
  const match = /^signal (\w+)(\[(\w+)\])? <== (\w+\(.*\)\(.*\));$/.exec(statement);
  if (match) {
    // Circom has no `<--` from a component, so another signal passes the value on.
    const [, name, array = '', size, component] = match;
    const free = `signal ${name}${array}; signal ${name}Free${array} <== ${component};`;
    const copy = size
      ? `for (var w = 0; w < ${size}; w++) { ${name}[w] <-- ${name}Free[w]; }`
      : `${name} <-- ${name}Free;`;
    yield { kind: 'unconstrained', changed: `${free} ${copy}` };
  } else if (statement.includes('<==')) {
    yield { kind: 'unconstrained', changed: statement.replace('<==', '<--') };
  }
}

/** Changes Num2Bits to one bit less, one more and twice as many. Extra bits are not read, missing ones are 0. */
function* widthsOf(statement: string): Generator<Change> {
  const match = /^signal (\w+)\[(\w+)\] <== Num2Bits\(\2\)\((.*)\);$/.exec(statement);
  if (match) {
    const [, name, size, value] = match;
    const wide = (bits: string) =>
      `signal ${name}[${size}]; signal ${name}Wide[${bits}] <== Num2Bits(${bits})(${value});`;
    const copy = (bits: string) => `for (var w = 0; w < ${bits}; w++) { ${name}[w] <== ${name}Wide[w]; }`;
    const less = `${size} - 1`;
    yield { kind: 'width', changed: `${wide(less)} ${copy(less)} ${name}[${less}] <== 0;` };
    for (const more of [`${size} + 1`, `2 * ${size}`]) {
      yield { kind: 'width', changed: `${wide(more)} ${copy(size ?? '')}` };
    }
  }
  // Only a wider mask: a wider index would change the template's other parameters.
  const member = /^MaskMember\((\d+), (\d+), (\d+)\)(.*)$/.exec(statement);
  if (member) {
    const [, places, indexBits, lowBits, rest] = member;
    yield { kind: 'width', changed: `MaskMember(${Number(places) + 1}, ${indexBits}, ${lowBits})${rest}` };
  }
}

/** Changes each number by one, except the 1 in a power of two: there the exponent is changed. */
function* numbersOf(statement: string): Generator<Change> {
  const inWidth = /^signal \w+\[\d+\] <== Num2Bits/.test(statement);
  for (const { 0: digits, index } of statement.matchAll(/\b\d+\b(?! <<)/g)) {
    if (inWidth && index < statement.lastIndexOf('(')) continue;
    for (const other of [Number(digits) - 1, Number(digits) + 1]) {
      if (other < 0 || /Poseidon\($|Num2Bits$/.test(statement.slice(0, index))) continue;
      const changed = statement.slice(0, index) + other + statement.slice(index + digits.length);
      yield { kind: 'number', changed };
    }
  }
}

/** Operators and their replacements. */
const OPERATORS: readonly (readonly [RegExp, string])[] = [
  [/(?<= )\+(?= )/g, '-'],
  [/(?<= )-(?= )/g, '+'],
  [/(?<= )\*(?= )/g, '+'],
  [/\+=/g, '='],
  [/\+=/g, '-='],
  [/(?<= )<(?= )/g, '<='],
  [/(?<= )==(?= )/g, '!='],
  [/slots(?! -)/g, '(slots - 1)'],
];

function* operatorsOf(statement: string): Generator<Change> {
  for (const [operator, other] of OPERATORS) {
    for (const { 0: found, index } of statement.matchAll(operator)) {
      yield {
        kind: 'operator',
        changed: statement.slice(0, index) + other + statement.slice(index + found.length),
      };
    }
  }
}
