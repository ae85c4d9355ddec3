/** Texts on which the engines of several languages must agree about each pattern of the document. */
import examples from '../../../src/openapi/examples.json' with { type: 'json' };

function textsOf(node: unknown): string[] {
  if (typeof node === 'string') return [node];
  return typeof node === 'object' && node !== null ? Object.values(node).flatMap(textsOf) : [];
}

/** Valid and invalid values of fields that the recorded examples do not have. */
const MORE = [
  '',
  'a',
  'Professionals in the EU',
  'A €5 name – with “signs” and 😀',
  '😀',
  '😀😀',
  'é',
  'e\u0301',
  ' a',
  'a\u00a0',
  'a\u00ad',
  'a\u200bb',
  'a\u2028b',
  'a\u0085b',
  'a\u0000',
  'a\tb',
  '0',
  '18446744073709551615',
  '18446744073709551616',
  '10000000000000000000',
  '00',
  '\u0661\u0662',
  '\uff11',
  'AAAA',
  'AAA=',
  'AA==',
  'AB==',
  'rule-set-2026-0001',
  'evt_0123456789abcdef0123456789abcdef',
  '2026-01-15T12:00:00Z',
  '2024-02-29T12:00:00.123+02:00',
  '2023-02-29T12:00:00Z',
];

/** Valid and invalid texts for every pattern. None has half a surrogate pair, which UTF-8 cannot say. */
export const SAMPLES: readonly string[] = [
  ...new Set(
    [...textsOf(examples), ...MORE].flatMap((text) => [
      text,
      `${text}\n`,
      `${text}\r`,
      `\n${text}`,
      `${text}\n\n`,
      `${text}x`,
      `${text}\u2028`,
      `${text}😀`,
      text.slice(0, -1),
      text.toUpperCase(),
      text.replace(/[0-9]/, '\u0661'),
      text.replace(/[0-9]$/, '\uff11'),
    ]),
  ),
].filter((text) => !/\p{Surrogate}/u.test(text));
