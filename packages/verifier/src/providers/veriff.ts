/**
 * Veriff, written from its public documents of November 2026 and never run against it.
 *
 * - devdocs.veriff.com/apidocs: v1sessions, v1sessionsiddecision-1
 * - devdocs.veriff.com/docs: hmac-authentication-and-endpoint-security, verification-session-status-codes-table,
 *   decision-webhook, how-to-create-an-integration
 *
 * A decision names neither the integration nor whether it is a test, so the API key stands for both. The documents give 9121 to
 * `review` and to `abandoned`, so the status counts. Webhooks have no signed time. An address is never read.
 */
import * as z from 'zod/mini';
import { type Decision, type DocumentType, ProviderError } from '../provider.ts';
import { callProvider } from './call-provider.ts';
import { countryCode } from './country-code.ts';
import { defined, documentFields } from './identity-document.ts';
import { providerKind } from './provider-kind.ts';
import { dayAt, requiredText, textAt, valueAt } from './response-fields.ts';
import { apiKey, apiUrl, pageOrigins, sandboxFlag, webhookSecrets } from './variables.ts';
import { hmacHex, requireSignature, textIn } from './webhook-signature.ts';

const DOCUMENT_TYPES: ReadonlyMap<string, DocumentType> = new Map([
  ['PASSPORT', 'passport'],
  ['ID_CARD', 'identity-card'],
  ['DRIVERS_LICENSE', 'driving-licence'],
  ['RESIDENCE_PERMIT', 'residence-permit'],
]);

/** Every other status means that nothing is decided yet. */
const STATES: ReadonlyMap<string, Decision['state']> = new Map([
  ['approved', 'approved'],
  ['declined', 'declined'],
  ['resubmission_requested', 'retry'],
  ['expired', 'retry'],
  ['abandoned', 'retry'],
]);
const APPROVED_CODE = 9001;

/** Identity checks by Veriff. */
export const veriff = providerKind({
  variables: z.object({
    VERIFF_API_URL: apiUrl('Veriff, which the dashboard shows with the key', 'https://stationapi.veriff.com'),
    VERIFF_API_KEY: apiKey('The API key of the integration, which decides what is checked.', '0a1b…'),
    VERIFF_SHARED_SECRETS: webhookSecrets(
      'The shared secrets of the integration. The first one signs calls.',
    ),
    VERIFF_SANDBOX: sandboxFlag('the integration'),
  }),
  create(values, { fetch, now = Date.now }) {
    const { VERIFF_API_URL: api, VERIFF_SHARED_SECRETS: secrets, VERIFF_SANDBOX: sandbox } = values;
    const flow = 'integration of the API key';

    /** Calls the API. The signature is over the body, or over the id of the session. */
    function call(request: { method: 'GET' | 'POST'; path: string; signed: string; body?: string }) {
      const { method, path, signed, body } = request;
      const headers = {
        'content-type': 'application/json',
        'x-auth-client': values.VERIFF_API_KEY,
        'x-hmac-signature': hmacHex(secrets[0] ?? '', [signed]),
      };
      return callProvider({ url: `${api}/v1/sessions${path}`, method, headers, ...defined({ body, fetch }) });
    }

    return {
      name: 'veriff',
      origins: pageOrigins(api, ['https://*.veriff.com', 'https://*.veriff.me']),
      flow,
      async start({ reference, returnUrl }) {
        const body = JSON.stringify({ verification: { callback: returnUrl, vendorData: reference } });
        const session = await call({ method: 'POST', path: '', signed: body, body });
        return {
          id: requiredText(session, 'verification.id'),
          url: requiredText(session, 'verification.url'),
        };
      },
      async readWebhook(body, headers) {
        requireSignature(headers.get('x-hmac-signature') ?? '', secrets, [body]);
        // A decision has the id in `verification`, an event at the top.
        return textIn(body, 'verification.id') ?? textIn(body, 'id');
      },
      async decision(id) {
        const common = { sandbox, flow, updatedAt: now(), tags: [] };
        const path = `/${encodeURIComponent(id)}/decision`;
        const response = await call({ method: 'GET', path, signed: id });
        if (textAt(response, 'status') !== 'success')
          throw new ProviderError('Veriff did not send a decision.');
        const verification = valueAt(response, 'verification');
        if (verification === null) return { ...common, state: 'pending' };
        if (textAt(verification, 'id') !== id) throw new ProviderError('Veriff sent another session.');
        const state = STATES.get(requiredText(verification, 'status')) ?? 'pending';
        if (state !== 'approved') return { ...common, state };
        if (valueAt(verification, 'code') !== APPROVED_CODE) {
          throw new ProviderError('Veriff approved a session with another code than 9001.');
        }
        return { ...common, state, ...factsOf(verification) };
      },
    };
  },
});

function factsOf(verification: unknown): Partial<Decision> {
  return {
    ...defined({
      birthDate: dayAt(verification, 'person.dateOfBirth'),
      nationality: countryCode(textAt(verification, 'person.nationality')),
    }),
    ...documentFields({
      country: textAt(verification, 'document.country'),
      type: DOCUMENT_TYPES.get(textAt(verification, 'document.type') ?? ''),
      number: textAt(verification, 'document.number'),
      expires: dayAt(verification, 'document.validUntil'),
    }),
  };
}
