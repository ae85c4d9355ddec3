import { describe, expect, it } from 'vitest';
import { returnUrlUnder } from './return-url.ts';

const ORIGIN = 'https://app.example:8443';

describe('returnUrlUnder', () => {
  it.each([
    [ORIGIN, `${ORIGIN}/`],
    [`${ORIGIN}/done`, `${ORIGIN}/done`],
    [`${ORIGIN}/done?step=2&who=a%40b`, `${ORIGIN}/done?step=2&who=a%40b`],
    [`${ORIGIN}/users/@me`, `${ORIGIN}/users/@me`],
    [`${ORIGIN}/a/../b`, `${ORIGIN}/b`],
  ])('returns the normal form of %s', (given, normal) => {
    expect(returnUrlUnder(ORIGIN, given)).toBe(normal);
  });

  it.each([
    ['another host', 'https://evil.example/'],
    ['a longer host', 'https://app.example.evil.example:8443/'],
    ['a host that only begins alike', 'https://app.example:84430/'],
    ['another port', 'https://app.example:8444/'],
    ['the default port', 'https://app.example/'],
    ['another scheme', 'http://app.example:8443/'],
    ['a script', 'javascript:alert(1)//app.example:8443'],
    ['a blob, whose origin is the site’s', `blob:${ORIGIN}/0b6f1c52-8f0e-4a55-9d0e-6f0e3a1f2b3c`],
    ['a data URL', 'data:text/html,hello'],
    ['userinfo that looks like the site', `${ORIGIN}@evil.example/`],
    ['userinfo at the site', 'https://user:secret@app.example:8443/'],
    ['empty userinfo', 'https://@app.example:8443/'],
    ['a backslash before the host', 'https:\\\\app.example:8443/'],
    ['a backslash host', `${ORIGIN}\\@evil.example/`],
    ['a tab in the scheme', 'java\tscript:alert(1)'],
    ['a newline', `${ORIGIN}/\nLocation: x`],
    ['a fragment', `${ORIGIN}/#witness=forged`],
    ['an empty fragment', `${ORIGIN}/#`],
    ['no scheme', '//app.example:8443/'],
    ['a path alone', '/done'],
    ['nothing', ''],
    ['a subdomain', 'https://x.app.example:8443/'],
    ['a trailing dot', 'https://app.example.:8443/'],
  ])('rejects %s', (_what, given) => {
    expect(returnUrlUnder(ORIGIN, given)).toBeNull();
  });
});
