import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { setSecurityHeaders } from './headers.ts';
import { type Listener, type ListenOptions, listen } from './listen.ts';
import type { SandboxVerifierOptions } from './options.ts';
import { messagePage } from './pages.ts';
import { addRoutes, LINK_INVALID } from './routes.ts';

/** A sandbox verifier. */
export interface SandboxVerifier {
  readonly app: Hono;
  listen(options?: ListenOptions): Promise<Listener>;
}

const MAX_BODY_BYTES = 16_384;

/**
 * Creates a sandbox verifier, which replaces a real verifier in development. Its page accepts any region, status and birth
 * date, or refuses the person. It signs the credential with a key that the service does not have, and reports by webhook.
 * It sends the person back with the witness in the URL's fragment (SPEC.md section 1). The same secret link later revokes
 * the credential. It listens only after `listen`.
 *
 * @throws RangeError if the person key has another length than 32 bytes
 */
export function createSandboxVerifier(options: SandboxVerifierOptions): SandboxVerifier {
  // With a short key, anybody could search for the persons.
  if (options.personKey.length !== 32) throw new RangeError('personKey must be 32 bytes. Use random ones.');
  const app = new Hono();
  app.use(bodyLimit({ maxSize: MAX_BODY_BYTES }));
  app.use(async (c, next) => {
    await next();
    setSecurityHeaders(c.res.headers);
  });
  app.onError((error, c) => {
    options.log.error({ name: error.name }, 'the sandbox verifier failed');
    setSecurityHeaders(c.res.headers);
    return c.html(messagePage('Something went wrong', 'Go back to the site and start again.'), 500);
  });
  app.notFound((c) => c.html(messagePage('Page not found', LINK_INVALID), 404));
  addRoutes(app, options);
  return { app, listen: (at) => listen(app, at) };
}
