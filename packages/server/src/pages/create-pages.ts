/** The site's pages besides the API: a built page, and deployment.json. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import type { Deployment } from '@service/configuration';
import { type Context, Hono } from 'hono';
import { etag } from 'hono/etag';
import type { Pages } from '../http/routing/not-found.ts';

/** What a page pins: the content of deployment.json, with the origin of the site. */
export type PinnedDeployment = Readonly<Deployment> & { readonly baseUrl: string };

/** Options of `createPages`. */
export interface PagesOptions {
  /** Folder of a built page, with its `index.html`. It may appear later. @default only deployment.json is served */
  readonly directory?: string | undefined;
  /** Returns the deployment, or null while the site has no port yet. */
  readonly deployment: () => PinnedDeployment | null;
}

/** A segment of a path that begins with a dot, such as of a file that is not meant for visitors. */
const HIDDEN = /\/\./;

/**
 * Creates the pages. Files of the folder have their own paths. Other paths return `index.html` if the client accepts HTML,
 * because the page's script reads the path. A page at another name of this machine, such as 127.0.0.1, redirects to the
 * site's origin, because the service rejects POSTs from any other. An https origin belongs to a proxy, whose requests come
 * by http and under any name, so then no page redirects.
 */
export function createPages({ directory, deployment }: PagesOptions): Pages {
  const app = new Hono();
  app.get('/deployment.json', (context) => {
    const content = deployment();
    if (!content) return context.notFound();
    context.header('Cache-Control', 'no-store');
    return context.json(content);
  });
  if (directory !== undefined) {
    const index = join(directory, 'index.html');
    app.get('*', etag(), async (context, next) => {
      const pinned = deployment();
      if (!pinned || HIDDEN.test(context.req.path) || !existsSync(index)) return next();
      const { origin, pathname, search } = new URL(context.req.url);
      const isPage = acceptsHtml(context);
      if (isPage && origin !== pinned.baseUrl && !pinned.baseUrl.startsWith('https:')) {
        return context.redirect(`${pinned.baseUrl}${pathname}${search}`, 307);
      }
      const serve = (options: { path?: string } = {}) =>
        serveStatic({ root: directory, ...options })(context, async () => undefined);
      const file = await serve();
      const response = file ?? (isPage ? await serve({ path: 'index.html' }) : null);
      if (!response) return next();
      // Workers use the policy of their own file, so every file has it.
      response.headers.set('Content-Security-Policy', contentSecurityPolicy(pinned));
      response.headers.set('Referrer-Policy', 'no-referrer');
      // A name does not show whether the file can change. So a browser asks each time, and the ETag saves the download.
      response.headers.set('Cache-Control', 'no-cache');
      return response;
    });
  }
  // The service rejects paths that have no page.
  app.notFound((context) => context.body(null, 404));
  return async (request) => {
    const response = await app.fetch(request);
    return response.status === 404 ? null : response;
  };
}

function acceptsHtml({ req }: Context): boolean {
  return req.header('accept')?.includes('text/html') ?? false;
}

/**
 * Returns the content security policy of a page. Scripts and workers come from the site, and may compile
 * WebAssembly for the prover. The page may reach the service, the RPC, and the verifier's form. Wallets show icons from
 * data URLs.
 */
function contentSecurityPolicy({
  rpcUrl,
  verifierOrigins,
}: Pick<Deployment, 'rpcUrl' | 'verifierOrigins'>): string {
  const { origin: rpc } = new URL(rpcUrl);
  const directives = {
    'default-src': "'none'",
    'script-src': "'self' 'wasm-unsafe-eval'",
    'worker-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self' data:",
    'font-src': "'self'",
    'manifest-src': "'self'",
    'connect-src': `'self' ${rpc} ${rpc.replace(/^http/, 'ws')}`,
    'form-action': ["'self'", ...verifierOrigins].join(' '),
    'frame-ancestors': "'none'",
    'base-uri': "'none'",
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources}`)
    .join('; ');
}
