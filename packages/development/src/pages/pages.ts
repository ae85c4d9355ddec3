/** The site's pages besides the API: those of the service, and the visit of the sandbox verifier. */
import { createPages, type Pages, type PagesOptions } from '@service/server';
import { Hono } from 'hono';
import { verifyAtSandbox } from './sandbox-visit.ts';

/** Options of `createDevelopmentPages`. */
export interface DevelopmentPagesOptions extends PagesOptions {
  /** Whether the stack runs the sandbox verifier, which the pages can visit at `/sandbox-visit`. @default false */
  readonly sandbox?: boolean | undefined;
}

/** Creates the pages of the stack. */
export function createDevelopmentPages({ sandbox = false, ...options }: DevelopmentPagesOptions): Pages {
  const pages = createPages(options);
  if (!sandbox) return pages;
  const app = new Hono();
  app.get('/sandbox-visit', async (context) => {
    const { url = '', ...answers } = context.req.query();
    const verifiers = options.deployment()?.verifierOrigins ?? [];
    const isOwn = context.req.header('sec-fetch-site') === 'same-origin';
    if (!isOwn || !URL.canParse(url) || !verifiers.includes(new URL(url).origin)) return context.notFound();
    context.header('Cache-Control', 'no-store');
    return context.json(await verifyAtSandbox(new URL(url), new URLSearchParams(answers)));
  });
  app.notFound(async (context) => (await pages(context.req.raw)) ?? context.body(null, 404));
  return async (request) => {
    const response = await app.fetch(request);
    return response.status === 404 ? null : response;
  };
}
