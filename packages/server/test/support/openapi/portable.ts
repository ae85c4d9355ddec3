/**
 * The patterns that ECMAScript (with and without the `u` flag), Python's `re`, RE2 and Go read in the same way:
 *
 * ```text
 * pattern    = "^" sequence "$"
 * sequence   = *( atom [ quantifier ] )
 * atom       = literal / class / "(" [ "?:" ] sequence *( "|" sequence ) ")"
 * literal    = an ASCII letter or digit / one of  - _ ! # % , / : ; < = > @  / escape
 * escape     = "\" one of  ^ $ \ . * + ? ( ) [ ] { } |  / "\x" and two hex digits
 * class      = "[" [ "^" ] 1*( item [ "-" item ] ) [ "-" ] "]"
 * item       = an ASCII letter or digit / one of  + / = _ : . , @  / escape
 * quantifier = "*" / "+" / "?" / "{" n "}" / "{" n "," [ n ] "}"
 * ```
 *
 * So there is no look-around, no backreference, no flag, and no `\p`. There is no `\d`, which has more digits in Python, and
 * no `.`, which has fewer characters in ECMAScript. There is no `\u`, which RE2 does not know. No literal is outside of
 * ASCII: compilers reject some of these characters in the code that a generator writes, and without the `u` flag, those
 * above U+FFFF are two. RE2 repeats at most 1000 times, counting what is inside a repetition.
 */
export function portabilityProblem(pattern: string): string | undefined {
  try {
    new Reader(pattern).readPattern();
  } catch (problem) {
    return (problem as Error).message;
  }
  return undefined;
}

const MOST_REPEATS = 1_000;
const ESCAPE = String.raw`\\(?:[\^$\\.*+?()[\]{}|]|x[0-9A-Fa-f]{2})`;
const LITERAL = new RegExp(`[A-Za-z0-9_!#%,/:;<=>@-]|${ESCAPE}`, 'y');
const ITEM = `(?:[A-Za-z0-9+/=_:.,@]|${ESCAPE})`;
const CLASS = new RegExp(String.raw`\[\^?(?:${ITEM}(?:-${ITEM})?)+-?\]`, 'y');
const QUANTIFIER = /[*+?]|\{(\d+)(?:(,)(\d*))?\}/y;

/** Reads a pattern from left to right, and throws at the first part that the grammar does not have. */
class Reader {
  #at = 0;

  constructor(readonly pattern: string) {}

  readPattern(): void {
    if (!this.#take(/\^/y)) this.#fail('does not begin with ^');
    this.#readSequence();
    if (!this.#take(/\$/y) || this.#at < this.pattern.length) this.#fail('has a part that is not portable');
  }

  /** Reads a sequence. Returns how often it repeats one of its parts. */
  #readSequence(): number {
    let most = 1;
    for (let repeats = this.#readAtom(); repeats !== undefined; repeats = this.#readAtom())
      most = Math.max(most, repeats * this.#readQuantifier());
    if (most > MOST_REPEATS) this.#fail(`repeats more than ${MOST_REPEATS} times`);
    return most;
  }

  #readAtom(): number | undefined {
    if (this.#take(LITERAL) || this.#take(CLASS)) return 1;
    if (!this.#take(/\((?:\?:)?(?!\?)/y)) return undefined;
    let most = this.#readSequence();
    while (this.#take(/\|/y)) most = Math.max(most, this.#readSequence());
    if (!this.#take(/\)/y)) this.#fail('has a group with a part that is not portable');
    return most;
  }

  #readQuantifier(): number {
    const [, least, comma, most] = this.#take(QUANTIFIER) ?? [];
    if (least === undefined) return 1;
    if (most && Number(most) < Number(least)) this.#fail('has a repetition whose bounds are swapped');
    return Math.max(1, Number(comma && most ? most : least));
  }

  #take(part: RegExp): RegExpExecArray | null {
    part.lastIndex = this.#at;
    const taken = part.exec(this.pattern);
    this.#at += taken?.[0].length ?? 0;
    return taken;
  }

  #fail(problem: string): never {
    throw new SyntaxError(`${problem}, at ${this.#at}: ${this.pattern}`);
  }
}

/** Returns every pattern of a document, each once. */
export function patternsOf(document: unknown): string[] {
  const patterns = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (key === 'pattern' && typeof value === 'string') patterns.add(value);
      if (key === 'patternProperties') for (const pattern of Object.keys(value)) patterns.add(pattern);
      visit(value);
    }
  };
  visit(document);
  return [...patterns];
}
