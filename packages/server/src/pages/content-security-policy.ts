import type { Deployment } from '@service/configuration';

/**
 * Returns the content security policy of a page. Scripts and workers come from the site, and may compile
 * WebAssembly for the prover. The page may reach the service, the RPC, and the verifier's form. Wallets show icons from
 * data URLs.
 */
export function contentSecurityPolicy({
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
