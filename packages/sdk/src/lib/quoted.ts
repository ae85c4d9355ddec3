/** Most characters that an error takes from others. */
const MOST = 200;

/** Letters and signs of bearer tokens, cookies and signatures, so many that nobody would have to read them. */
const TOKEN = /[\w+/=-]{32,}/g;
/** What may be read: an address, or a UUID. */
const PUBLIC = /^(?:[1-9A-HJ-NP-Za-km-z]{32,44}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/**
 * Text of the service or of a wallet, made fit to stand in an error: one line, short, without control characters,
 * without signs that turn or hide what is read, and without what looks like a cookie or a signature. Whoever wrote it
 * may be hostile, and errors go to logs and screens.
 */
export function quoted(text: string, most = MOST): string {
  const line = oneLine(text, most).replaceAll(TOKEN, (token) => (PUBLIC.test(token) ? token : '[…]'));
  return shortened(line, most);
}

/** Text of others made fit to be read, where it holds no secrets, as that of a receipt. */
export function readable(text: string, most = MOST): string {
  return shortened(oneLine(text, most), most);
}

/** Without control characters and without signs that turn or hide what is read. */
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
