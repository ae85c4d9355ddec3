import type { Passport } from '@service/sdk';
import { createElement as element } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { VerificationNotice } from '../../examples/react/src/holder/credential/verification-notice.tsx';

type Verification = NonNullable<Passport['verification']>;
const session = { sessionId: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff', expiresAt: 1n } as const;
const noticeOf = (
  verification: Partial<Verification> | undefined,
  { hasCredential = false, hasError = false } = {},
) => {
  const props = { verification: verification && ({ ...session, ...verification } as Verification) };
  return renderToStaticMarkup(element(VerificationNotice, { ...props, hasCredential, hasError }));
};

test('says that a person is in review, also one who has an earlier credential', () => {
  const review = { state: 'STARTED', pendingSince: 1n } as const;
  for (const hasCredential of [false, true])
    expect(noticeOf(review, { hasCredential })).toContain('in review');
});

test('says that a person came back too early, unless there is a credential', () => {
  expect(noticeOf({ state: 'STARTED' })).toContain('came back before the verification was complete');
  expect(noticeOf({ state: 'STARTED' }, { hasCredential: true })).toBe('');
});

test('says that the verification failed, unless the page says why', () => {
  expect(noticeOf({ state: 'FAILED', failure: 'x' })).toContain('did not verify you');
  expect(noticeOf({ state: 'FAILED', failure: 'x' }, { hasError: true })).toBe('');
});

test.each([undefined, { state: 'ISSUING' }, { state: 'ISSUED' }] as const)(
  'says nothing of %j',
  (verification) => {
    expect(noticeOf(verification)).toBe('');
  },
);
