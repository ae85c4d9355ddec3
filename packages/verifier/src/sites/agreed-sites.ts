/** The sites that an operator agreed on with a service. A service cannot name another one (docs/verifiers.md). */
import { originField } from '@service/contract';
import {
  type HostedSessionRequest,
  hostedSessionRequest,
  returnUrlUnder,
  verifyWebhook,
} from '@service/contract/verifier';
import * as z from 'zod/mini';
import { parseJson } from '../parse-json.ts';

/** A Standard Webhooks secret. With a short one, anybody could sign for the service. */
const webhookSecret = z
  .string()
  .check(
    z.regex(
      /^whsec_(?:[A-Za-z0-9+/]{4}){8,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
      'must be whsec_ and the base64 of at least 24 bytes',
    ),
  );

/** What was agreed on with one service. */
export const siteRecord = z.strictObject({
  /** The origins of the site. */
  origins: z.array(originField).check(z.minLength(1)),
  /** The exact URL that gets messages, so that a service cannot make the verifier call another host. */
  webhookUrl: z.url({ protocol: /^https?$/ }),
  /** The Standard Webhooks secrets: one, or two during a rotation. */
  webhookSecrets: z.array(webhookSecret).check(z.minLength(1), z.maxLength(2)),
});
/** A site. */
export type Site = z.infer<typeof siteRecord>;

/** The program and the cluster that the verifier signs for. */
export type SignedFor = Pick<HostedSessionRequest, 'program' | 'genesisHash'>;

/** A request for a hosted session, as it came. `now` is in Unix milliseconds. */
export interface SessionCall {
  readonly body: string;
  readonly headers: Headers;
  readonly now: number;
}

/** A session and its site, or why it is rejected. */
export type SessionVerdict =
  | { readonly session: HostedSessionRequest; readonly site: Site }
  | { readonly status: 400 | 401; readonly reason: string };

/** Reads the request of a service for a session. Rejects everything that was not agreed on. */
export function readSession(
  { body, headers, now }: SessionCall,
  { sites, signedFor }: { readonly sites: readonly Site[]; readonly signedFor: SignedFor },
): SessionVerdict {
  // The secret shows which service is calling. Only its own sites count, so one service cannot name the site of another.
  const callers = sites.filter(
    ({ webhookSecrets }) => verifyWebhook({ secret: webhookSecrets, now, body, headers }).authentic,
  );
  if (callers.length === 0) {
    return { status: 401, reason: 'No agreed secret signed the request. Compare secret, body and clock.' };
  }
  const parsed = z.safeDecode(hostedSessionRequest, parseJson(body) as z.input<typeof hostedSessionRequest>);
  if (!parsed.success) return { status: 400, reason: 'The session is malformed. See docs/verifiers.md.' };
  const session = parsed.data;
  const site = callers.find(({ origins }) => origins.includes(session.siteOrigin));
  if (!site) return rejected('siteOrigin is not an agreed origin');
  if (session.webhookUrl !== site.webhookUrl) return rejected('webhookUrl is not the agreed URL');
  if (returnUrlUnder(session.siteOrigin, session.returnUrl) !== session.returnUrl) {
    return rejected('returnUrl is not under siteOrigin');
  }
  if (session.program !== signedFor.program) return rejected('program is not that of the verifier');
  if (session.genesisHash !== signedFor.genesisHash)
    return rejected('genesisHash is not that of the verifier');
  if (Number(session.expiresAt) * 1000 <= now) return rejected('expiresAt has passed');
  return { session, site };
}

function rejected(what: string): SessionVerdict {
  return { status: 400, reason: `${what}. Ask the operator of the verifier.` };
}
