/** Characters that an error quotes at most. */
const MOST = 200;

/** A run of the characters of bearer tokens, cookies and signatures. */
const RUN = /[\w+/=-]{12,}/g;
/**
 * What such a run looks like: long, or a part of one that somebody split, with digits among its letters. A word, an error code and
 * a time do not look so.
 */
const SECRET = /^(?:.{32,}|(?=.*\d)(?=.*[a-z]).{16,}|(?=.*\d)(?=.*[a-z])(?=.*[A-Z]).{12,})$/;
/** Text that stays readable: an address or a UUID. */
const PUBLIC = /^(?:[1-9A-HJ-NP-Za-km-z]{32,44}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/**
 * Makes text of the service or of a wallet safe for an error: one short line without control characters, without
 * characters that reverse or hide text, and without anything that looks like a cookie or a signature. Its author may be
 * hostile, and errors go to logs and screens.
 */
export function quoted(text: string, most = MOST): string {
  const line = oneLine(text, most).replaceAll(RUN, (run) =>
    SECRET.test(run) && !PUBLIC.test(run) ? '[…]' : run,
  );
  return shortened(line, most);
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
