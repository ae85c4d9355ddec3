/** Modes of sign-in (SPEC.md section 5). */
import { MAINNET_GENESIS_HASH } from '@service/contract';
import { editJson, type Json, set } from '../edits/responses.ts';
import { changeFields } from '../edits/sign-in-message.ts';
import { type HostileMode, UNKNOWN_ADDRESS } from '../hostile-mode.ts';

const REFUSED = { category: 'sign-in', call: 'authenticate', code: 'CHALLENGE_REFUSED' } as const;

export const SIGN_IN_MODES: readonly HostileMode[] = [
  {
    ...REFUSED,
    id: 'sign-in-other-origin',
    description: 'The message names another site, where the signature would sign the service in.',
    page: 'Say that the service asked for a sign-in at another site, and stop.',
    context: { binding: 'origin' },
    start: () => changeFields(() => ({ origin: 'https://evil.example' })),
  },
  {
    ...REFUSED,
    id: 'sign-in-other-wallet',
    description: 'The message names another wallet than the one that is asked to sign.',
    page: 'Say that the message was for another wallet, and stop.',
    context: { binding: 'wallet' },
    start: () => changeFields(() => ({ wallet: UNKNOWN_ADDRESS })),
  },
  {
    ...REFUSED,
    id: 'sign-in-other-cluster',
    description: 'The message names another cluster.',
    page: 'Say that the service works on another cluster than this page.',
    context: { binding: 'genesisHash' },
    start: () => changeFields(() => ({ genesisHash: MAINNET_GENESIS_HASH })),
  },
  {
    ...REFUSED,
    id: 'sign-in-far-expiry',
    description: 'The challenge is valid for a year, so that a stolen signature would be useful for long.',
    page: 'Say that the message is valid for too long, and stop.',
    context: { binding: 'expiresAt' },
    start: () => changeFields(({ issuedAt }) => ({ expiresAt: issuedAt + 31_536_000n })),
  },
  {
    ...REFUSED,
    id: 'sign-in-replayed',
    description: 'The challenge is one that this client answered before. Sign in twice to meet it.',
    page: 'Offer to sign in again once, and stop if it happens again.',
    context: { binding: 'nonce' },
    start: () => {
      let first: Json | undefined;
      return editJson(['challenge'], (challenge) => (first ??= challenge));
    },
  },
  {
    ...REFUSED,
    id: 'sign-in-as-another',
    description: 'The service accepts the signature, and signs another wallet in.',
    page: 'Show nobody as signed in.',
    code: 'UNEXPECTED_RESPONSE',
    start: () => editJson(['verify'], set({ wallet: UNKNOWN_ADDRESS })),
  },
];
