/** The document works in other languages and generators than those of this repository. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { nameField } from '@service/contract';
import { ORIGIN } from '@service/server/test-service';
import { describe, expect, it } from 'vitest';
import { patternsOf, portabilityProblem } from '../../test/support/openapi/portable.ts';
import { SAMPLES } from '../../test/support/openapi/samples.ts';
import { openApiDocument } from './document.ts';

const document = openApiDocument(ORIGIN);
const patterns = patternsOf(document);

describe('each pattern', () => {
  it.each(patterns)('%s is portable', (pattern) => {
    expect(portabilityProblem(pattern)).toBeUndefined();
  });

  it.each(patterns)('%s means the same with and without the u flag', (pattern) => {
    const [plain, unicode] = [new RegExp(pattern), new RegExp(pattern, 'u')];
    const accepted = SAMPLES.filter((sample) => plain.test(sample));
    expect(SAMPLES.filter((sample) => unicode.test(sample))).toEqual(accepted);
    // Else the samples would prove nothing.
    expect(accepted.length).toBeGreaterThan(0);
    expect(accepted.length).toBeLessThan(SAMPLES.length);
  });

  it('is found, wherever it is', () => {
    expect(patterns).toHaveLength(11);
    expect(patternsOf({ a: [{ pattern: '^a$' }], patternProperties: { '^b$': { pattern: '^c$' } } })).toEqual(
      ['^a$', '^b$', '^c$'],
    );
  });
});

describe('the grammar', () => {
  it.each([
    '^$',
    '^[a-z]+$',
    '^(?:a|b|)*$',
    String.raw`^[^\x00-\x1f\xad]*\.\\\[$`,
    '^(a{10}){100}$',
    '^a{1,1000}b{2,}[0-9_-]?$',
  ])('has %s', (pattern) => {
    expect(portabilityProblem(pattern)).toBeUndefined();
    expect(() => new RegExp(pattern, 'u')).not.toThrow();
  });

  it.each([
    ['no anchor at the start', 'a$'],
    ['no anchor at the end', '^a'],
    ['an anchor inside', '^a$b$'],
    ['an alternative that is not anchored', '^a|b$'],
    ['look-ahead', '^(?=a)a$'],
    ['negative look-ahead', '^(?!a)b$'],
    ['look-behind', '^(?<=a)b$'],
    ['a named group', '^(?<a>a)$'],
    ['a flag', '^(?i:a)$'],
    ['an atomic group', '^(?>a)$'],
    ['a backreference', String.raw`^(a)\1$`],
    ['a property', String.raw`^\p{Cf}$`],
    ['a property in a class', String.raw`^[^\p{Cf}]$`],
    ['a digit of each script', String.raw`^\d$`],
    ['a digit of each script in a class', String.raw`^[\d]$`],
    ['a space of each script', String.raw`^\s$`],
    ['a word boundary', String.raw`^a\b$`],
    ['a code unit', String.raw`^\u200b$`],
    ['a code unit in a class', String.raw`^[\u200b]$`],
    ['a line break', String.raw`^\n$`],
    ['any character', '^.$'],
    ['a literal outside of ASCII', '^\u200b$'],
    ['a literal outside of ASCII in a class', '^[é]$'],
    ['two units', '^[😀]$'],
    ['a lazy repetition', '^a*?$'],
    ['a possessive repetition', '^a*+$'],
    ['a repetition of nothing', '^*$'],
    ['too many repetitions', '^a{1001}$'],
    ['too many repetitions up to', '^a{1,1001}$'],
    ['too many repetitions at least', '^a{1001,}$'],
    ['too many repetitions of repetitions', '^(?:a{11}){100}$'],
    ['too many repetitions in a later alternative', '^(?:b|a{11}){100}$'],
    ['swapped bounds', '^a{2,1}$'],
    ['a brace that is a literal', '^a{$'],
    ['a bracket that is a literal', '^a]$'],
    ['an empty class', '^[]$'],
    ['a set operation', '^[a&&b]$'],
    ['a nested class', '^[[:alpha:]]$'],
    ['a group without an end', '^(a$'],
    ['a group without a start', '^a)$'],
  ])('does not have %s', (_what, pattern) => {
    expect(portabilityProblem(pattern)).toBeDefined();
  });
});

describe('the pattern of a name', () => {
  const { pattern } = document.components.schemas.Name!;
  const fits = (name: string) => new RegExp(pattern!, 'u').test(name);
  const isName = (name: string) => nameField.safeParse(name).success;

  it('accepts each name that the service accepts', () => {
    const around = (name: string) => [name, `${name}${name}`, `a${name}`, `${name}a`, `a${name}a`];
    const narrower: string[] = [];
    for (let code = 0; code <= 0x10ffff; code += 1) {
      for (const name of around(String.fromCodePoint(code))) {
        if (isName(name) && !fits(name)) narrower.push(name);
      }
      // Above this, only every hundredth. The whole range takes a minute.
      if (code > 0x3000) code += 99;
    }
    expect(narrower).toEqual([]);
  });

  it('is the same as the rule of the service up to U+00FF', () => {
    for (let code = 0; code <= 0xff; code += 1) {
      const each = String.fromCodePoint(code);
      for (const name of [each, `a${each}`, `${each}a`, `a${each}a`])
        expect(fits(name), `${code}`).toBe(isName(name));
    }
  });
});

describe('each name of a schema', () => {
  const names = Object.keys(document.components.schemas);
  const libraries = ['dom', 'es5', 'es2015.collection', 'es2015.promise', 'es2020.bigint'];
  const globals = libraries.flatMap((library) => {
    const file = createRequire(import.meta.url).resolve(`typescript/lib/lib.${library}.d.ts`);
    const text = readFileSync(file, 'utf8');
    return [...text.matchAll(/^(?:interface|declare var|type) (\w+)/gm)].map(([, name]) => name!);
  });

  it('is that of no global of TypeScript', () => {
    expect(globals).toEqual(
      expect.arrayContaining(['Event', 'Response', 'Error', 'Map', 'Promise', 'BigInt']),
    );
    expect(names.filter((name) => globals.includes(name))).toEqual([]);
  });

  /** Compared in lower case, because many generators write a file of each schema. */
  const TAKEN = {
    'files that generators write':
      'api base client common configuration core enums errors index main mod models request response runtime schemas sdk services types util utils',
    'types that generators write':
      'apiError apiException apiResponse baseApi baseModel cancelablePromise openApi options requestOptions unset file',
    'keywords of Python':
      'and as assert async await break case class continue def del elif else except false finally for from global if import in is lambda match none nonlocal not or pass raise return true try type while with yield',
    'types of Python': 'any dict enum field list literal optional set tuple union',
    'keywords of Go, Java, C#, Rust, Swift and PHP':
      'abstract boolean byte char const default delegate do double echo enum extends final func function go goto impl int interface internal let long mod module namespace native new null object operator package private protected protocol public record ref sealed select self short static string struct super switch this throw trait typeof use var virtual void',
    'types of Java, C#, Rust and Swift':
      'action array attribute box buffer character console data date datetime enum environment err exception float integer iterable lazy math number ok option process random range result some system task thread uri url uuid vec version',
  };
  it.each(Object.entries(TAKEN))('is none of the %s', (_what, taken) => {
    const words = taken.toLowerCase().split(' ');
    expect(names.filter((name) => words.includes(name.toLowerCase()))).toEqual([]);
  });

  it('differs from each other name by more than its case', () => {
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
  });
});
