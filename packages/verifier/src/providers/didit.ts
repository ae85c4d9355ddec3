/**
 * Didit, written from its public documents of November 2026 and never run against it.
 *
 * - docs.didit.me/sessions-api: create-session, retrieve-session
 * - docs.didit.me/integration: verification-statuses, webhooks
 * - docs.didit.me/reference/data-models, core-technology/id-verification/report-id-verification
 *
 * `X-Signature-V2` signs a normal form of the JSON whose floats are not specified, so `X-Signature` over the raw bytes counts.
 * Not documented: the spelling of every kind of document, and that a repeated webhook has a new `timestamp`.
 */
import * as z from 'zod/mini';
import { type Decision, type DocumentType, ProviderError } from '../provider.ts';
import { callProvider } from './call-provider.ts';
import { countryCode } from './country-code.ts';
import { defined, documentFields } from './identity-document.ts';
import { providerKind } from './provider-kind.ts';
import { dayAt, itemsAt, onlyOne, requiredText, textAt, valueAt } from './response-fields.ts';
import { apiKey, apiUrl, flowName, pageOrigins, webhookSecrets } from './variables.ts';
import { numberIn, requireFresh, requireSignature, textIn } from './webhook-signature.ts';

/** By the letters of the name, because it is written as `Identity Card` and as `IDENTITY_CARD`. */
const DOCUMENT_TYPES: ReadonlyMap<string, DocumentType> = new Map([
  ['passport', 'passport'],
  ['identitycard', 'identity-card'],
  ['idcard', 'identity-card'],
  ['driverslicense', 'driving-licence'],
  ['residencepermit', 'residence-permit'],
]);

/** Every other status means that nothing is decided yet. */
const STATES: ReadonlyMap<string, Decision['state']> = new Map([
  ['Approved', 'approved'],
  ['Declined', 'declined'],
  ['Resubmitted', 'retry'],
  ['Expired', 'retry'],
  ['Abandoned', 'retry'],
  // Of an approved check whose document has expired.
  ['Kyc Expired', 'retry'],
]);

/** Identity checks by Didit. */
export const didit = providerKind({
  variables: z.object({
    DIDIT_API_URL: apiUrl('Didit', 'https://verification.didit.me'),
    DIDIT_API_KEY: apiKey('The API key of the application.', 'abc…'),
    DIDIT_WEBHOOK_SECRETS: webhookSecrets('The secrets of the webhook destination.'),
    DIDIT_WORKFLOW: flowName('The id of the workflow.', '11111111-2222-3333-4444-555555555555'),
  }),
  create(values, { fetch, now = Date.now }) {
    const { DIDIT_API_URL: api, DIDIT_WORKFLOW: flow } = values;

    function call(method: 'GET' | 'POST', path: string, given?: object) {
      const headers = { 'content-type': 'application/json', 'x-api-key': values.DIDIT_API_KEY };
      const body = given && JSON.stringify(given);
      return callProvider({ url: `${api}/v3/session/${path}`, method, headers, ...defined({ body, fetch }) });
    }

    return {
      name: 'didit',
      origins: pageOrigins(api, ['https://verify.didit.me']),
      flow,
      async start({ reference, returnUrl }) {
        const session = await call('POST', '', {
          workflow_id: flow,
          vendor_data: reference,
          callback: returnUrl,
        });
        return { id: requiredText(session, 'session_id'), url: requiredText(session, 'url') };
      },
      async readWebhook(body, headers, time) {
        requireSignature(headers.get('x-signature') ?? '', values.DIDIT_WEBHOOK_SECRETS, [body]);
        // The header X-Timestamp is not signed.
        requireFresh(numberIn(body, 'timestamp'), time);
        return textIn(body, 'session_id');
      },
      async decision(id) {
        const updatedAt = now();
        const session = await call('GET', `${encodeURIComponent(id)}/decision/`);
        if (textAt(session, 'session_id') !== id) throw new ProviderError('Didit sent another session.');
        const decision: Decision = {
          state: STATES.get(requiredText(session, 'status')) ?? 'pending',
          sandbox: textAt(session, 'environment') !== 'live',
          flow: requiredText(session, 'workflow_id'),
          updatedAt,
          tags: [],
        };
        return decision.state === 'approved' ? { ...decision, ...factsOf(session) } : decision;
      },
    };
  },
});

function factsOf(session: unknown): Partial<Decision> {
  const approved = (list: string) =>
    onlyOne(itemsAt(session, list).filter((each) => textAt(each, 'status') === 'Approved'));
  const document = approved('id_verifications');
  // With another method, such as a lookup by number, nobody saw a document.
  const method = valueAt(document, 'verification_method');
  if (method !== undefined && method !== 'document') return {};
  const kind = textAt(document, 'document_type')
    ?.toLowerCase()
    .replace(/[^a-z]/g, '');
  return {
    ...defined({
      birthDate: dayAt(document, 'date_of_birth'),
      nationality: countryCode(textAt(document, 'nationality')),
      residence: countryCode(textAt(approved('poa_verifications'), 'poa_parsed_address.country')),
    }),
    ...documentFields({
      country: textAt(document, 'issuing_state'),
      type: DOCUMENT_TYPES.get(kind ?? ''),
      number: textAt(document, 'document_number'),
      expires: dayAt(document, 'expiration_date'),
    }),
  };
}
