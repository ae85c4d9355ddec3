import { type HostedSessionRequest, hostedSessionRequest, returnUrlUnder } from '@service/contract/verifier';
import * as z from 'zod/mini';

/** Reads the service's request for a hosted session. Returns null unless the return URL is under the site's origin. */
export function readSessionRequest(body: string): HostedSessionRequest | null {
  const parsed = z.safeDecode(hostedSessionRequest, parseJson(body) as z.input<typeof hostedSessionRequest>);
  if (!parsed.success) return null;
  const { returnUrl, siteOrigin, webhookUrl } = parsed.data;
  const isOrigin = /^https?:/.test(siteOrigin) && new URL(siteOrigin).origin === siteOrigin;
  return isOrigin && /^https?:/.test(webhookUrl) && returnUrlUnder(siteOrigin, returnUrl) === returnUrl
    ? parsed.data
    : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
