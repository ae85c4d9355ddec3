/** Edits of the sign-in message (SPEC.md section 5). */
import { type ChallengeFields, formatChallenge, parseChallenge } from '@service/protocol';
import type { Tamper } from '../hostile-mode.ts';
import { editJson } from './responses.ts';

/** Changes fields of the message, which stays well-formed. `issuedAt` is the service's present time. */
export const changeFields = (edit: (fields: ChallengeFields) => Partial<ChallengeFields>): Tamper =>
  editJson(['challenge'], (challenge) => {
    const received = parseChallenge(String(challenge.message))!;
    const changed = { ...received, ...edit(received) };
    return { ...challenge, message: formatChallenge(changed), expiresAt: `${changed.expiresAt}` };
  });

/** Changes the text of the message. */
export const changeText = (edit: (message: string) => string): Tamper =>
  editJson(['challenge'], (challenge) => ({ ...challenge, message: edit(String(challenge.message)) }));
