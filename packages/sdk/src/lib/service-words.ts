/** Quotes text of the service, which can be hostile. */
import { HIDDEN, MOST_QUOTED, PUBLIC, RUN, shortened, withoutSecrets } from './quoted.ts';

/** Short words of English and of this field. Other short runs of letters count as parts of a secret: see {@link oddLetters}. */
const SHORT_WORDS =
  ' a add age all an and any are as at be but by can do end fee few for get has how i id if in is it its key low max may min must my no not now of off on one or out own per rpc s set so sol the to too try two up uri url use was way yes yet you ';
/** A text is hidden if this many of its letters are in runs that are no words. A token of 256 bits has about 26, and a sentence a few. */
const MOST_ODD = 12;
/** The same limit if a run of the text was hidden already. What is left can be another part of the same token. */
const MOST_ODD_BESIDE = 1;

/**
 * Makes text of the service safe for an error, as `quotedLocal` does. It also hides the whole text if the text may contain
 * parts of a cookie, however short they are and whatever is between them. In a browser the SDK does not know the cookie, so it looks for
 * letters that form no words.
 */
export function quoted(text: string, most = MOST_QUOTED): string {
  // Also check what is cut off later. Otherwise the quoted beginning could be a part of a token.
  const line = withoutSecrets(text, most);
  const isReadable = oddLetters(line) < (line.includes(HIDDEN) ? MOST_ODD_BESIDE : MOST_ODD);
  return isReadable ? shortened(line, most) : HIDDEN;
}

/**
 * Returns how many letters of a text are in runs of up to three that are no words. A random text has mostly such runs: digits,
 * signs and changes of case end them. Splitting the text further only makes the runs shorter.
 */
function oddLetters(line: string): number {
  const letters = line
    .replaceAll(RUN, (run) => (PUBLIC.test(run) ? ' ' : run))
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '');
  const runs = letters.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? [];
  const odd = runs.filter((run) => run.length <= 3 && !SHORT_WORDS.includes(` ${run.toLowerCase()} `));
  return odd.join('').length;
}
