import { describe, expect, it } from 'vitest';
import { quoted } from './quoted.ts';

describe('quoted', () => {
  it.each([
    ['plain words', 'the mint is paused', 'the mint is paused'],
    ['line breaks and tabs', 'a\r\nERROR\u2028b\tc\u0000d\u001b[31m', 'a ERROR b c d [31m'],
    ['invisible and direction-changing characters', 'pay\u202e\u2066elcitra\u200b\ufeff\u00ad', 'payelcitra'],
    ['half of a surrogate pair', 'a\ud800b', 'ab'],
    ['letters of any script', 'Zürich 東京 é', 'Zürich 東京 é'],
    ['only white space', ' \n ', ''],
  ])('cleans a text with %s', (_name, text, expected) => expect(quoted(text)).toBe(expected));

  it('cuts a long text between characters, not within one', () => {
    expect(quoted('😀'.repeat(300))).toBe(`${'😀'.repeat(200)}…`);
    expect(quoted('a b '.repeat(1_000_000)).length).toBe(201);
  });

  it('keeps addresses and ids, and removes cookies and signatures', () => {
    const public_ = '7cqE6AS4cxp6bj3NQ3iX4su4xcDtMQNitRVR21RirKVi of 6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
    expect(quoted(public_)).toBe(public_);
    const cookie = 'Xh0lq-_3Il9O0aZ1bY2cX3dW4eV5fU6gT7hS8iR9jQ0';
    const signature = `${'aB3/'.repeat(21)}aA==`;
    expect(quoted(`you sent session=${cookie}; and ${signature}`)).toBe('you sent […]; and […]');
  });
});
