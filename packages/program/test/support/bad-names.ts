/** Names that accounts must not have, in bytes. */
const text = (value: string) => new TextEncoder().encode(value);

export const badNames: [what: string, name: Uint8Array][] = [
  ['empty', new Uint8Array()],
  ['of 33 bytes', text('a'.repeat(33))],
  ['of 32 characters and 64 bytes', text('ü'.repeat(32))],
  ['a byte that UTF-8 never has', Uint8Array.of(0x61, 0xff)],
  ['cut off in the middle of a character', text('Zü').slice(0, 2)],
  ['a character written with more bytes than it takes', Uint8Array.of(0xc0, 0xaf)],
  ['half of a surrogate pair', Uint8Array.of(0xed, 0xa0, 0x80)],
  ['with a zero inside', text('a\u0000b')],
  ['with a zero at its end', text('a\u0000')],
  ['with a line break', text('a\nb')],
  ['with a delete character', text('a\u007fb')],
  ['with a control character beyond ASCII', text('a\u0085b')],
];
