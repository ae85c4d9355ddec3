/** Modes of responses that are missing, refused or in another format. */
import { refusal, withBody } from '../edits/responses.ts';
import { instead, onApi, untilAborted } from '../edits/transport.ts';
import type { HostileMode } from '../hostile-mode.ts';

const TRANSPORT = { category: 'transport', call: 'authenticate' } as const;

export const TRANSPORT_MODES: readonly HostileMode[] = [
  {
    ...TRANSPORT,
    id: 'transport-broken-connection',
    description: 'The connection breaks.',
    page: 'Say that the service cannot be reached, and offer to try again.',
    code: 'NETWORK_ERROR',
    start: () =>
      instead(() => {
        throw new TypeError('fetch failed');
      }),
  },
  {
    ...TRANSPORT,
    id: 'transport-no-answer',
    description: 'The service does not respond.',
    page: 'Show for how long the page has waited, and offer to try again.',
    code: 'TIMEOUT',
    start: () => instead(untilAborted),
  },
  {
    ...TRANSPORT,
    id: 'transport-html-with-503',
    description: 'A gateway responds with an HTML page and status 503.',
    page: 'Say that the service is not available now, and show nothing of that page.',
    code: 'UNAVAILABLE',
    start: () =>
      instead(() => {
        const headers = { 'content-type': 'text/html' };
        return new Response('<!doctype html><title>Welcome</title>', { status: 503, headers });
      }),
  },
  {
    ...TRANSPORT,
    id: 'transport-rate-limited-for-ever',
    description: 'Every request exceeds the rate limit.',
    page: 'Say when the person can try again, and do not repeat the call before.',
    code: 'RATE_LIMITED',
    start: () => instead(() => refusal('RATE_LIMITED', 429, { 'retry-after': '0' })),
  },
  {
    ...TRANSPORT,
    id: 'transport-stale-for-ever',
    description: 'The index never catches up.',
    page: 'Say that the service is behind the chain, and offer to try again.',
    call: 'config',
    code: 'INDEX_STALE',
    start: () => instead(() => refusal('INDEX_STALE', 503, { 'retry-after': '0' })),
  },
  {
    ...TRANSPORT,
    id: 'transport-malformed-json',
    description: 'The response is JSON without its last brace.',
    page: 'Say that the service responds with something else than it should.',
    code: 'UNEXPECTED_RESPONSE',
    start: () =>
      onApi(async (request, forward) => {
        const response = await forward(request);
        return withBody(response, (await response.text()).slice(0, -1));
      }),
  },
];
