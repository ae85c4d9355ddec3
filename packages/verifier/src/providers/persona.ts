/**
 * Persona, written from its public documents of November 2026 and never run against it.
 *
 * - github.com/persona-id/persona-openapi (2026-08-21), version 2025-12-08: inquiries, verification-government-id
 * - docs.withpersona.com: model-lifecycle, webhooks-best-practices, environments, api-keys, government-id-verifications
 *
 * An inquiry that only completed is pending: a workflow or a person at Persona must approve it. An inquiry does not say in which
 * environment it was made. An address is never read, because the applicant types it.
 */
import * as z from 'zod/mini';
import { type Decision, type DocumentType, ProviderError, WebhookError } from '../provider.ts';
import { callProvider } from './call-provider.ts';
import { countryCode } from './country-code.ts';
import { defined, documentFields } from './identity-document.ts';
import { providerKind } from './provider-kind.ts';
import { dayAt, itemsAt, onlyOne, requiredText, textAt, textsAt } from './response-fields.ts';
import { apiKey, apiUrl, flowName, pageOrigins, sandboxFlag, webhookSecrets } from './variables.ts';
import { isSigned, requireFresh, textIn } from './webhook-signature.ts';

const API_VERSION = '2025-12-08';

const DOCUMENT_TYPES: ReadonlyMap<string, DocumentType> = new Map([
  ['pp', 'passport'],
  ['id', 'identity-card'],
  ['dl', 'driving-licence'],
  ['rp', 'residence-permit'],
  ['pr', 'residence-permit'],
]);

/** Every other status means that nothing is decided yet. Persona may add new ones. */
const STATES: ReadonlyMap<string, Decision['state']> = new Map([
  ['approved', 'approved'],
  ['declined', 'declined'],
  ['failed', 'declined'],
  ['expired', 'retry'],
]);

/** Identity checks by Persona. */
export const persona = providerKind({
  variables: z.object({
    PERSONA_API_URL: apiUrl('Persona', 'https://api.withpersona.com/api/v1'),
    PERSONA_API_KEY: apiKey('The API key, which may read and write inquiries.', 'persona_production_…'),
    PERSONA_WEBHOOK_SECRETS: webhookSecrets('The secrets of the webhook.'),
    PERSONA_TEMPLATE: flowName('The id of the inquiry template.', 'itmpl_ABC123'),
    PERSONA_SANDBOX: sandboxFlag('the API key'),
  }),
  create(values, { fetch }) {
    const { PERSONA_API_URL: api, PERSONA_API_KEY: key, PERSONA_TEMPLATE: flow } = values;
    const sandbox = values.PERSONA_SANDBOX || key.startsWith('persona_sandbox_');

    function call(method: 'GET' | 'POST', path: string, given?: object, own: Record<string, string> = {}) {
      const headers = {
        'content-type': 'application/json',
        authorization: `Bearer ${key}`,
        'persona-version': API_VERSION,
        'key-inflection': 'kebab',
        ...own,
      };
      const body = given && JSON.stringify(given);
      return callProvider({ url: `${api}/inquiries${path}`, method, headers, ...defined({ body, fetch }) });
    }

    return {
      name: 'persona',
      origins: pageOrigins(api, ['https://withpersona.com', 'https://*.withpersona.com']),
      flow,
      async start({ reference, returnUrl }) {
        const attributes = { 'inquiry-template-id': flow, 'redirect-uri': returnUrl };
        const meta = { 'auto-create-account-reference-id': reference, 'auto-create-one-time-link': true };
        const headers = { 'idempotency-key': reference };
        const inquiry = await call('POST', '', { data: { attributes }, meta }, headers);
        return { id: requiredText(inquiry, 'data.id'), url: requiredText(inquiry, 'meta.one-time-link') };
      },
      async readWebhook(body, headers, now) {
        // During a rotation there are two pairs, separated by a space.
        const pairs = (headers.get('persona-signature') ?? '').matchAll(/t=(\d{1,12}),\s*v1=([0-9a-f]{64})/g);
        const time = [...pairs].find(([, time, signature = '']) =>
          isSigned(signature, values.PERSONA_WEBHOOK_SECRETS, [`${time}.`, body]),
        )?.[1];
        if (time === undefined) throw new WebhookError('No known secret signed the webhook. Compare them.');
        requireFresh(Number(time), now);
        const isInquiry = textIn(body, 'data.attributes.payload.data.type') === 'inquiry';
        return isInquiry ? textIn(body, 'data.attributes.payload.data.id') : null;
      },
      async decision(id) {
        const inquiry = await call('GET', `/${encodeURIComponent(id)}?include=verifications`);
        if (textAt(inquiry, 'data.id') !== id) throw new ProviderError('Persona sent another inquiry.');
        const updatedAt = Date.parse(requiredText(inquiry, 'data.attributes.updated-at'));
        if (Number.isNaN(updatedAt)) throw new ProviderError('Persona did not say when the inquiry changed.');
        const decision: Decision = {
          state: STATES.get(requiredText(inquiry, 'data.attributes.status')) ?? 'pending',
          sandbox,
          flow: requiredText(inquiry, 'data.relationships.inquiry-template.data.id'),
          updatedAt,
          tags: textsAt(inquiry, 'data.attributes.tags'),
        };
        return decision.state === 'approved' ? { ...decision, ...factsOf(inquiry) } : decision;
      },
    };
  },
});

function factsOf(inquiry: unknown): Partial<Decision> {
  const isPassed = (each: unknown) =>
    textAt(each, 'type') === 'verification/government-id' && textAt(each, 'attributes.status') === 'passed';
  const document = onlyOne(itemsAt(inquiry, 'included').filter(isPassed));
  return {
    ...defined({
      birthDate: dayAt(document, 'attributes.birthdate'),
      nationality: countryCode(textAt(document, 'attributes.nationality')),
    }),
    ...documentFields({
      country: textAt(document, 'attributes.country-code'),
      type: DOCUMENT_TYPES.get(textAt(document, 'attributes.id-class') ?? ''),
      number: textAt(document, 'attributes.identification-number'),
      expires: dayAt(document, 'attributes.expiration-date'),
    }),
  };
}
