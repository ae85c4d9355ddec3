import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { quotedLocal } from './quoted.ts';
import { quoted } from './service-words.ts';

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
    expect(quoted('a to '.repeat(1_000_000)).length).toBe(201);
  });

  it('keeps addresses and ids, and removes cookies and signatures', () => {
    const public_ = '7cqE6AS4cxp6bj3NQ3iX4su4xcDtMQNitRVR21RirKVi of 6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
    expect(quoted(public_)).toBe(public_);
    const cookie = 'Xh0lq-_3Il9O0aZ1bY2cX3dW4eV5fU6gT7hS8iR9jQ0';
    const signature = `${'aB3/'.repeat(21)}aA==`;
    expect(quoted(`you sent session=${cookie}; and ${signature}`)).toBe('you sent […]; and […]');
  });

  it.each([2, 3, 4, 5, 7, 10, 14, 21, 30, 43])('hides 1,000 tokens in %i parts of any length', (count) => {
    let readable = 0;
    for (let index = 0; index < 1_000; index += 1) {
      const bytes = createHash('sha512').update(`${count} ${index}`).digest();
      const token = bytes.subarray(0, 32).toString('base64url');
      const cuts = new Set([0]);
      for (let at = 32; cuts.size < count; at += 1) {
        cuts.add(
          createHash('sha256').update(`${count} ${index} ${at}`).digest().readUInt16LE() % token.length,
        );
      }
      const starts = [...cuts].sort((a, b) => a - b);
      const parts = starts.map((start, part) => token.slice(start, starts[part + 1]));
      const shown = quoted(`You sent ${parts.join(' and then ')} to the service.`, 600);
      // How many characters of the token somebody could read.
      const read = parts.filter((part) => shown.includes(` ${part} `)).join('').length;
      if (read > 15) readable += 1;
    }
    expect(readable).toBe(0);
  });

  it.each([
    'The mint 7cqE6AS4cxp6bj3NQ3iX4su4xcDtMQNitRVR21RirKVi is not bound to a rule set. Its issuer must bind it first.',
    'The wallet has 5000 lamports and needs 895880: 5000 for fees, 890880 that must stay in it. Send 890880 lamports to it.',
    'body.expiresAt must be at most 1768478400. Use createTokenAccount of @service/sdk/chain, or GET /api/config.',
    'Every POST must have the Origin https://app.example or http://127.0.0.1:3000.',
  ])('keeps a message of the service: %s', (message) => expect(quoted(message, 600)).toBe(message));
});

describe('quotedLocal', () => {
  it('keeps text of any language, and removes cookies', () => {
    const text = 'Der Benutzer hat die Anfrage in der App auf dem Gerät abgelehnt, und es ist zu spät';
    expect(quotedLocal(text)).toBe(text);
    expect(quoted(text)).toBe('[…]');
    expect(quotedLocal('session=Xh0lq-_3Il9O0aZ1bY2cX3dW4eV5fU6gT7hS8iR9jQ0')).toBe('[…]');
  });
});
