/** Characters that an error quotes at most. */
const MOST = 200;

/** A run of the characters of bearer tokens, cookies and signatures. */
const RUN = /[\w+/=-]{12,}/g;
/**
 * What such a run looks like: long, or a part of one that somebody split, with digits among its letters. A word, an error code and
 * a time do not look so.
 */
const SECRET = /^(?:.{32,}|(?=.*\d)(?=.*[a-z]).{16,}|(?=.*\d)(?=.*[a-z])(?=.*[A-Z]).{12,})$/;
/** Text that stays readable: an address or a UUID. One address in a thousand is shorter, and a part of a token can look like it. */
const PUBLIC = /^(?:[1-9A-HJ-NP-Za-km-z]{43,44}|1{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Short words of English and of this field. Other short runs of letters count as parts of a secret: see {@link oddLetters}. */
const SHORT_WORDS = new Set(
  'a add age all an and any api are as at be but by can csp did do end fee few for get go had has he how i id ids if in is it its json key low max may me min ms my new no not now of off on one or out own pda per put ran rpc run s sec see set she so sol spl sql ten the to too try two up uri url us use utc was way we who why yes yet you'.split(
    ' ',
  ),
);
/** Letters in runs that are no words, from which a text is not quoted. A token of 256 bits has about 26, and a sentence a few. */
const MOST_ODD = 12;
/** The same beside a run that was hidden, because that can be another part of the same token. */
const MOST_ODD_BESIDE = 1;
const HIDDEN = '[…]';

/**
 * Makes text of the service safe for an error: as {@link quotedLocal} does, and nothing of it is left if it can have parts of a
 * cookie, however short they are and whatever is between them. In a browser the SDK does not know the cookie, so it looks for
 * letters that form no words.
 */
export function quoted(text: string, most = MOST): string {
  // What is cut off counts, too: otherwise a text could show parts of a token up to the limit.
  const line = withoutSecrets(text, most);
  const isReadable = oddLetters(line) < (line.includes(HIDDEN) ? MOST_ODD_BESIDE : MOST_ODD);
  return isReadable ? shortened(line, most) : HIDDEN;
}

/**
 * Makes text of a wallet or of another part of this device safe for an error: one short line without control characters, without
 * characters that reverse or hide text, and without anything that looks like a cookie or a signature. Its author may be
 * hostile, and errors go to logs and screens. It can be in any language.
 */
export function quotedLocal(text: string, most = MOST): string {
  return shortened(withoutSecrets(text, most), most);
}

/** Returns a text as one line, without what looks like a cookie or a signature. */
function withoutSecrets(text: string, most: number): string {
  return oneLine(text, most).replaceAll(RUN, (run) => (SECRET.test(run) && !PUBLIC.test(run) ? HIDDEN : run));
}

/**
 * Returns how many letters of a text are in runs of up to three that are no words. A random text has mostly such runs: digits,
 * signs and changes of case end them. To split it further only makes them shorter.
 */
function oddLetters(line: string): number {
  const letters = line
    .replaceAll(RUN, (run) => (PUBLIC.test(run) ? ' ' : run))
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '');
  const runs = letters.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? [];
  const odd = runs.filter((run) => run.length <= 3 && !SHORT_WORDS.has(run.toLowerCase()));
  return odd.join('').length;
}

/** Makes text of others safe to read if it contains no secrets, such as the text of a receipt. */
export function readable(text: string, most = MOST): string {
  return shortened(oneLine(text, most), most);
}

/** Removes control characters, and characters that reverse or hide text. */
function oneLine(text: string, most: number): string {
  return text
    .slice(0, 8 * most)
    .replaceAll(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/\p{C}/gu, '');
}

function shortened(line: string, most: number): string {
  const characters = [...line.trim()];
  return characters.length > most ? `${characters.slice(0, most).join('')}…` : line.trim();
}
