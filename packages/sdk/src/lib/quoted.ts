/** Characters that an error quotes at most. */
const MOST = 200;

/** A long run of the characters of bearer tokens, cookies and signatures. */
const TOKEN = /[\w+/=-]{32,}/g;
/** Text that stays readable: an address or a UUID. */
const PUBLIC = /^(?:[1-9A-HJ-NP-Za-km-z]{32,44}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/**
 * Makes text of the service or of a wallet safe for an error: one short line without control characters, without
 * characters that reverse or hide text, and without anything that looks like a cookie or a signature. Its author may be
 * hostile, and errors go to logs and screens.
 */
export function quoted(text: string, most = MOST): string {
  const line = oneLine(text, most).replaceAll(TOKEN, (token) => (PUBLIC.test(token) ? token : '[…]'));
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
