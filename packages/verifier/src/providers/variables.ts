/** Schemas of the variables that several adapters have. */
import { httpUrl, list, variable, withForm } from '@service/configuration';
import * as z from 'zod/mini';

const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** Returns whether a URL names this machine. */
export function isLoopback(url: string): boolean {
  return URL.canParse(url) && LOOPBACK.has(new URL(url).hostname);
}

const secureUrl = withForm(
  httpUrl.check(z.refine((url) => url.startsWith('https:') || isLoopback(url))),
  'an https URL without a user name, or an http URL of this machine',
);

/** The URL of a provider's API. Plain http would show the key to everybody, so it needs https outside this machine. */
export function apiUrl(provider: string, fallback: string) {
  const description = `The URL of the API of ${provider}. On this machine, it can be that of a fake.`;
  return variable(z._default(secureUrl, fallback), { description, example: fallback });
}

/** Returns where a provider's pages are: at its documented origins, or at a fake on this machine. */
export function pageOrigins(api: string, documented: readonly string[]): readonly string[] {
  return isLoopback(api) ? [new URL(api).origin] : documented;
}

const someText = withForm(z.string().check(z.minLength(1)), 'the text that the provider shows');

/** A key of the API. */
export function apiKey(description: string, example: string) {
  return variable(someText, { description, example, secret: true });
}

/** The level, workflow or template that a person must pass. */
export function flowName(description: string, example: string) {
  return variable(someText, { description, example });
}

const secretList = withForm(
  z.pipe(list, z.array(z.string().check(z.minLength(1))).check(z.minLength(1))),
  'secrets separated by commas, none of them empty',
);

/** The secrets of webhooks. Each is accepted, so that they can rotate. With an empty one, anybody could forge webhooks. */
export function webhookSecrets(description: string) {
  return variable(secretList, { description, example: 'current-secret,previous-secret', secret: true });
}

/** Yes or no. */
export const flag = withForm(
  z.pipe(
    z.enum(['true', 'false']),
    z.transform((text) => text === 'true'),
  ),
  '`true` or `false`',
);

/** Whether a key belongs to a test environment. It is true by default, so that a forgotten variable does not make tests count. */
export function sandboxFlag(whose: string) {
  return variable(z._default(flag, true), {
    description: `Whether ${whose} belongs to a test environment. Its decisions are rejected outside development.`,
    example: 'false',
  });
}
