import { STYLE_SOURCE } from './pages.ts';

/** Returns a content security policy that allows the pages' style and empty icon, no script, and forms to these sources. */
export function contentSecurityPolicy(formAction: string): string {
  return `default-src 'none'; style-src ${STYLE_SOURCE}; img-src data:; form-action ${formAction}; base-uri 'none'; frame-ancestors 'none'`;
}

/** Sets the headers of every response: no caching, no framing, no script, no referrer. */
export function setSecurityHeaders(headers: Headers): void {
  headers.set('Cache-Control', 'no-store');
  headers.set('Referrer-Policy', 'no-referrer');
  headers.set('X-Content-Type-Options', 'nosniff');
  if (!headers.has('Content-Security-Policy')) {
    headers.set('Content-Security-Policy', contentSecurityPolicy("'none'"));
  }
}
