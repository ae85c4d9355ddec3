/** Characters that an error quotes at most. */
export const MOST_QUOTED = 200;

/** A run of the characters of bearer tokens, cookies and signatures. */
export const RUN = /[\w+/=-]{12,}/g;
/**
 * What such a run looks like: long, or a part of one that somebody split, with digits among its letters. A word, an error code and
 * a time do not look so.
 */
const SECRET = /^(?:.{32,}|(?=.*\d)(?=.*[a-z]).{16,}|(?=.*\d)(?=.*[a-z])(?=.*[A-Z]).{12,})$/;
/** Text that stays readable: an address or a UUID. One address in a thousand is shorter and gets hidden, because it looks like a part of a token. */
export const PUBLIC = /^(?:[1-9A-HJ-NP-Za-km-z]{43,44}|1{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Replaces what is not shown. */
export const HIDDEN = '[…]';

/**
 * Makes text of a wallet or of another part of this device safe for an error: one short line without control characters, without
 * characters that reverse or hide text, and without anything that looks like a cookie or a signature. Its author may be
 * hostile, and errors go to logs and screens. It can be in any language.
 */
export function quotedLocal(text: string, most = MOST_QUOTED): string {
  return shortened(withoutSecrets(text, most), most);
}

/** Returns a text as one line, without what looks like a cookie or a signature. */
export function withoutSecrets(text: string, most = MOST_QUOTED): string {
  return oneLine(text, most).replaceAll(RUN, (run) => (SECRET.test(run) && !PUBLIC.test(run) ? HIDDEN : run));
}

/** Makes text of others safe to read if it contains no secrets, such as the text of a receipt. */
export function readable(text: string, most = MOST_QUOTED): string {
  return shortened(oneLine(text, most), most);
}

/** Removes control characters, and characters that reverse or hide text. */
function oneLine(text: string, most: number): string {
  return text
    .slice(0, 8 * most)
    .replaceAll(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/\p{C}/gu, '');
}

/** Returns at most so many characters of a line. */
export function shortened(line: string, most: number): string {
  const characters = [...line.trim()];
  return characters.length > most ? `${characters.slice(0, most).join('')}…` : line.trim();
}
