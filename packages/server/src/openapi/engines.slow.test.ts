/** RE2, and Debian’s Python or that which PYTHON names, compile each pattern of the document and read it as ECMAScript does. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { ORIGIN } from '@service/server/test-service';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { patternsOf } from '../../test/support/openapi/portable.ts';
import { SAMPLES } from '../../test/support/openapi/samples.ts';
import { openApiDocument } from './document.ts';

const python = process.env.PYTHON ?? '/usr/bin/python3';

/** Prints which samples each pattern finds. `-W error` makes the warnings of `re` about unclear classes errors. */
const PROGRAM = `
import json, re, sys
asked = json.load(sys.stdin)
compiled = [re.compile(pattern) for pattern in asked["patterns"]]
json.dump([[found.search(sample) is not None for sample in asked["samples"]] for found in compiled], sys.stdout)
`;

function inPython(patterns: readonly string[], samples: readonly string[]): boolean[][] {
  const input = JSON.stringify({ patterns, samples });
  const printed = execFileSync(python, ['-I', '-W', 'error', '-c', PROGRAM], { input, stdio: 'pipe' });
  return JSON.parse(printed.toString()) as boolean[][];
}

const patterns = patternsOf(openApiDocument(ORIGIN));
const inEcmaScript = (pattern: string) => SAMPLES.map((sample) => new RegExp(pattern, 'u').test(sample));

describe('RE2', () => {
  it.each(patterns)('reads %s as ECMAScript does', (pattern) => {
    const re2 = RE2JS.compile(pattern);
    expect(SAMPLES.map((sample) => re2.matcher(sample).find())).toEqual(inEcmaScript(pattern));
  });

  it.each(['(?=a)', String.raw`\u200b`, 'a{1001}', String.raw`(a)\1`])('refuses %s', (pattern) => {
    expect(() => RE2JS.compile(pattern)).toThrow();
  });
});

describe.skipIf(!existsSync(python))('Python', () => {
  it('reads each pattern as ECMAScript does, except that $ also matches before a last line break', () => {
    const found = inPython(patterns, SAMPLES);
    for (const [index, pattern] of patterns.entries()) {
      const ofPattern = new RegExp(pattern, 'u');
      const expected = SAMPLES.map(
        (sample) => ofPattern.test(sample) || ofPattern.test(sample.replace(/\n$/, '')),
      );
      expect(found[index], pattern).toEqual(expected);
    }
  });

  it.each([String.raw`^\p{Cf}$`, '^(?<a>b)$', '^[[a]$', '^b{2,1}$'])('refuses %s', (pattern) => {
    expect(() => inPython([pattern], [])).toThrow();
  });

  it('is really asked: it has more digits than ECMAScript', () => {
    expect(inPython([String.raw`^\d$`, '^[0-9]$'], ['1', '\u0661'])).toEqual([
      [true, true],
      [true, false],
    ]);
  });
});
